import { Fragment } from 'react';
import { reference } from 'virtual:api-reference';
import { Marked } from './code-block.tsx';

const cell = 'py-2.5 pe-4 align-baseline';

/** Every error: its code, its status, what it means and what to do. On a phone each is a block. */
export const ProblemTable = () => (
  <table className="w-full border-collapse text-start text-13 leading-5 max-sm:block">
    <caption className="sr-only">All errors</caption>
    <thead className="max-sm:sr-only">
      <tr className="border-b border-line text-12 text-ink-3">
        {['Status', 'Code', 'Meaning and what to do'].map((header) => (
          <th key={header} scope="col" className={`${cell} text-start font-medium`}>
            {header}
          </th>
        ))}
      </tr>
    </thead>
    <tbody className="max-sm:block">
      {reference.problems.map(({ code, status, title, advice }) => (
        <tr
          key={code}
          id={`error-${code}`}
          className="scroll-mt-32 lg:scroll-mt-20 border-b border-line last:border-0 max-sm:block max-sm:py-3"
        >
          <td className={`${cell} font-mono text-ink-3 max-sm:inline max-sm:p-0`}>{status}</td>
          <th
            scope="row"
            className={`${cell} text-start font-mono font-medium text-ink max-sm:ms-2 max-sm:inline max-sm:p-0`}
          >
            <Breakable name={code} />
          </th>
          <td className={`${cell} max-sm:block max-sm:p-0`}>
            <span className="font-medium text-ink">{title}.</span> <Marked text={advice} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** A name that may break after its underscores. */
const Breakable = ({ name }: { name: string }) =>
  name.split('_').map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- a part has no other identity
    <Fragment key={index}>
      {index > 0 && (
        <>
          _<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
