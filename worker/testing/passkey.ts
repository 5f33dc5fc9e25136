import { createHash, randomBytes, webcrypto } from 'node:crypto';
import { call, ORIGIN } from './call.ts';
import { EMBEDDED } from './sign-in.ts';

const PATH = '/api/auth/v1/passkeys';

/** What a hostile authenticator or browser does differently. */
export type Twist = {
  origin?: string;
  rpId?: string;
  type?: string;
  crossOrigin?: boolean;
  /** The flags of authenticator data: 1 present, 4 verified. */
  flags?: number;
  counter?: number;
  userHandle?: string;
  challenge?: string;
};

type Begun = {
  challenge_id: string;
  options: { challenge: string; user?: { id: string }; allowCredentials?: { id: string }[] };
};

const PRESENT_AND_VERIFIED = 5;
const HAS_CREDENTIAL = 64;

type Key = { cose: Buffer; sign: (bytes: Buffer) => Promise<Buffer> };

/** RFC 9052: kty EC2, alg ES256, crv P-256, x, y. With `isShort`, x begins with a zero. */
async function makeEcKey(isShort: boolean): Promise<Key> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const pair = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { x = '', y = '' } = await webcrypto.subtle.exportKey('jwk', pair.publicKey);
  if (isShort && Buffer.from(x, 'base64url')[0] !== 0) return makeEcKey(isShort);
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  const sign = async (bytes: Buffer) =>
    toDer(Buffer.from(await webcrypto.subtle.sign(algorithm, pair.privateKey, bytes)));
  return { cose, sign };
}

/** RFC 8230: kty RSA, alg RS256, n, e. Windows has such keys. */
async function makeRsaKey(modulusLength: number) {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const pair = await webcrypto.subtle.generateKey(
    { ...algorithm, modulusLength, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  );
  const { n = '' } = await webcrypto.subtle.exportKey('jwk', pair.publicKey);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(modulusLength / 8);
  const cose = Buffer.concat([
    Buffer.from('a40103033901002059', 'hex'),
    length,
    Buffer.from(n, 'base64url'),
    Buffer.from('2143010001', 'hex'),
  ]);
  const sign = async (bytes: Buffer) =>
    Buffer.from(await webcrypto.subtle.sign(algorithm, pair.privateKey, bytes));
  return { cose, sign };
}

/**
 * An authenticator in software with one key, beside the client of a browser. A number is the bits of
 * an RSA key.
 */
export async function makeAuthenticator(kind: 'ec' | 'short ec' | number = 'ec') {
  const key = await (typeof kind === 'number' ? makeRsaKey(kind) : makeEcKey(kind === 'short ec'));
  const id = randomBytes(16);
  let counter = 0;
  let userHandle = '';

  const clientData = (type: string, { options }: Begun, twist: Twist) =>
    Buffer.from(
      JSON.stringify({
        type: twist.type ?? type,
        challenge: twist.challenge ?? options.challenge,
        origin: twist.origin ?? ORIGIN,
        crossOrigin: twist.crossOrigin ?? false,
      }),
    );
  const authenticatorData = (twist: Twist, flags: number, credential: Buffer) => {
    const tail = Buffer.alloc(5);
    tail[0] = (twist.flags ?? PRESENT_AND_VERIFIED) | flags;
    tail.writeUInt32BE(twist.counter ?? counter, 1);
    const rpId = twist.rpId ?? new URL(ORIGIN).hostname;
    return Buffer.concat([sha256(Buffer.from(rpId)), tail, credential]);
  };

  return {
    id: id.toString('base64url'),

    /** The answer to a challenge for a new passkey. */
    create(begun: Begun, twist: Twist = {}) {
      userHandle = begun.options.user?.id ?? '';
      const credential = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        key.cose,
      ]);
      const data = authenticatorData(twist, HAS_CREDENTIAL, credential);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(data.length);
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        Buffer.from([0x59]),
        length,
        data,
      ]);
      return {
        challenge_id: begun.challenge_id,
        credential: {
          id: id.toString('base64url'),
          type: 'public-key',
          authenticatorAttachment: 'platform',
          response: {
            clientDataJSON: clientData('webauthn.create', begun, twist).toString('base64url'),
            attestationObject: attestationObject.toString('base64url'),
            transports: ['internal', 'a made-up one'],
          },
        },
      };
    },

    /** The answer to a challenge for a use. The counter grows with each. */
    async sign(begun: Begun, twist: Twist = {}) {
      counter += 1;
      const client = clientData('webauthn.get', begun, twist);
      const data = authenticatorData(twist, 0, Buffer.alloc(0));
      const signature = await key.sign(Buffer.concat([data, sha256(client)]));
      return {
        challenge_id: begun.challenge_id,
        credential: {
          id: id.toString('base64url'),
          type: 'public-key',
          response: {
            clientDataJSON: client.toString('base64url'),
            authenticatorData: data.toString('base64url'),
            signature: signature.toString('base64url'),
            userHandle: twist.userHandle ?? userHandle,
          },
        },
      };
    },
  };
}

export type Authenticator = Awaited<ReturnType<typeof makeAuthenticator>>;

/** Calls the passkey routes. `headers` are those of a signed-in person, or {} for nobody. */
export const passkeyCalls = (headers: Record<string, string>, overrides: Partial<Env> = {}) => {
  const ask = (path: string, json?: unknown, method = 'POST') =>
    call(
      PATH + path,
      { method, headers, ...(json !== undefined && { json }) },
      { ...EMBEDDED, ...overrides },
    );
  const begin = async (path: string, json: unknown = {}): Promise<Begun> =>
    (await ask(path, json)).json();
  return {
    ask,
    begin,
    /** Adds a passkey with the password as the proof. */
    async add(authenticator: Authenticator, password: string): Promise<Response> {
      const begun = await begin('/registration/options', { current_password: password });
      if (begun.challenge_id === undefined) return Response.json(begun, { status: 400 });
      return ask('/registration/verify', authenticator.create(begun));
    },
    async signIn(authenticator: Authenticator, twist: Twist = {}): Promise<Response> {
      const begun = await begin('/authentication/options');
      return ask('/authentication/verify', await authenticator.sign(begun, twist));
    },
    async prove(authenticator: Authenticator, twist: Twist = {}): Promise<Response> {
      const begun = await begin('/proof/options');
      return ask('/proof/verify', await authenticator.sign(begun, twist));
    },
  };
};

const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** RFC 3279 §2.2.3: a sequence of two integers, each without needless zeros. */
function toDer(raw: Buffer): Buffer {
  const integer = (bytes: Buffer): Buffer => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const trimmed = bytes.subarray(start);
    const value = (trimmed[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), trimmed]) : trimmed;
    return Buffer.concat([Buffer.from([2, value.length]), value]);
  };
  const body = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}
