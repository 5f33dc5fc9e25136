import { MONO_FONT_PATH, SANS_FONT_PATH } from '#contract/pages/fonts.ts';

/**
 * The style of pages that the Worker renders: the application's fonts, header and footer, and a
 * copy of the tokens that they use from web/styles/theme.css. A test compares the copy.
 */
export const PAGE_STYLE = `
@font-face{font-family:"Geist Variable";font-display:swap;font-weight:100 900;src:url(${SANS_FONT_PATH}) format("woff2")}
@font-face{font-family:"Geist Mono Variable";font-display:swap;font-weight:100 900;src:url(${MONO_FONT_PATH}) format("woff2")}
@font-face{font-family:"Geist Fallback";src:local("Arial"),local("Liberation Sans"),local("Arimo");ascent-override:95.94%;descent-override:28.16%;line-gap-override:0%;size-adjust:104.76%}
:root{color-scheme:light dark;scrollbar-gutter:stable;
--canvas:light-dark(oklch(0.985 0.003 95),oklch(0.165 0.006 270));
--surface:light-dark(oklch(1 0 0),oklch(0.2 0.007 270));
--ink:light-dark(oklch(0.21 0.012 270),oklch(0.96 0.003 95));
--ink-2:light-dark(oklch(0.41 0.012 270),oklch(0.8 0.006 270));
--ink-3:light-dark(oklch(0.51 0.012 270),oklch(0.69 0.008 270));
--line:light-dark(oklch(0.905 0.005 95),oklch(0.295 0.008 270));
--hover:light-dark(oklch(0.21 0.012 270 / 0.05),oklch(0.96 0.003 95 / 0.08));
--accent:light-dark(oklch(0.51 0.2 262),oklch(0.76 0.125 258));
--landing:light-dark(oklch(0.647 0.193 42),oklch(0.785 0.15 62))}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;min-height:100svh;display:flex;flex-direction:column;background:var(--canvas);color:var(--ink);font:16px/1.5 "Geist Variable","Geist Fallback",system-ui,sans-serif;-webkit-font-smoothing:antialiased;-webkit-text-size-adjust:100%}
a{color:var(--accent);text-underline-offset:3px}
a:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
svg{display:block;flex:none;width:24px;height:24px}.arc{color:var(--ink)}:dir(rtl)>.arc{transform:scaleX(-1)}
header{border-bottom:1px solid var(--line)}
footer{border-top:1px solid var(--line);font-size:13px;color:var(--ink-3)}
.bar{position:relative;display:flex;align-items:center;gap:8px;width:100%;max-width:1080px;min-height:56px;margin:0 auto;padding:0 24px}
footer .bar{flex-wrap:wrap;gap:16px 24px;padding-block:32px}
.logo{display:inline-flex;align-items:center;gap:8px;color:inherit;text-decoration:none}
a.logo{min-height:44px;margin-inline-end:16px;font-weight:600;letter-spacing:-.025em}footer .arc{width:20px;height:20px}
nav{font-size:14px}footer nav{display:flex;flex-wrap:wrap;gap:0 16px;margin-inline-start:auto;font-size:13px}
nav a,.account>a,summary{display:inline-flex;align-items:center;min-height:36px;padding:0 10px;border-radius:6px;color:var(--ink-2);text-decoration:none;white-space:nowrap}footer nav a{padding:0}
nav a:hover,.account>:hover,summary:hover{color:var(--ink);background:var(--hover)}footer nav a:hover{background:none}
.account{margin-inline-start:auto;white-space:nowrap;font-size:13px;font-weight:500}
.button,.account>.button{border:1px solid transparent;border-radius:8px;background:var(--ink);color:var(--canvas);font-weight:500;text-decoration:none}
.account>.button{min-height:32px}.button:hover,.account>.button:hover{background:var(--ink-2);color:var(--canvas)}
[data-member] .visitor,:root:not([data-member]) .member,summary::-webkit-details-marker{display:none}
summary{justify-content:center;width:36px;padding:0;list-style:none;cursor:pointer}summary svg{width:20px;height:20px}
details nav{position:absolute;z-index:1;top:52px;inset-inline-end:24px;display:grid;min-width:176px;padding:4px;border:1px solid var(--line);border-radius:12px;background:var(--surface);box-shadow:0 8px 24px oklch(0 0 0/.12)}details .member{display:grid}
main{flex:1;width:100%;max-width:1080px;margin:0 auto;padding:24px 24px 80px}main>*{max-width:680px}
main>.arc{width:96px;height:96px;margin-block:8px 16px;margin-inline-start:-9px}
h1{margin:0 0 8px;font-size:24px;line-height:32px;letter-spacing:-.025em;text-wrap:balance;font-weight:600;overflow-wrap:anywhere}
h2{margin:24px 0 4px;font-size:14px;line-height:20px;font-weight:600}
p{margin:0 0 16px;color:var(--ink-2)}
.status{margin:0 0 8px;font-size:14px;color:var(--ink-3);overflow-wrap:anywhere}
.mono,.code{font-family:"Geist Mono Variable",ui-monospace,monospace;font-size:14px;overflow-wrap:anywhere}
.reason,.card{border:1px solid var(--line);border-radius:12px;background:var(--surface);color:var(--ink)}
.reason{padding:12px 16px;overflow-wrap:anywhere}
.reason a.mono{font-size:16px;font-weight:500}
.actions{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:center;margin:24px 0 0}
.actions a{display:inline-flex;align-items:center;min-height:44px}
.actions .button{max-width:100%;padding:9px 20px;overflow-wrap:anywhere}
.support{margin:24px 0 0;font-size:14px;overflow-wrap:anywhere}
@media(max-width:639px){.bar{padding:0 16px}a.logo{margin-inline-end:0}main{padding:24px 16px 64px}details nav{inset-inline-end:16px}nav .member a:nth-child(2),.member>[href$=settings]{display:none}details .member a:nth-child(2){display:inline-flex}footer nav a{min-height:44px}footer nav{margin-inline-start:0}}
@media(max-width:1023px){.wide,nav .member a:nth-child(3){display:none}details .member a:nth-child(3){display:inline-flex}}
@media(min-width:1024px){details{display:none}}
@media(min-width:640px){h1{font-size:32px;line-height:38px}}
@media(pointer:coarse){nav a,.account>a,.account>.button,summary{min-height:44px}summary{width:44px}}
@media(forced-colors:active){.arc{color:CanvasText;--landing:Highlight}}
@media print{:root,:root[data-theme]{color-scheme:light}header,footer,.actions{display:none}}
`;
