// An assistant's mark: a yard seen from above, each with its own building in it.

const SHAPES: { [name: string]: string } = {
  homes: "M10 17l6-5 6 5v6H10z",
  works: "M10 22v-5M14 22v-9M18 22v-6M22 22V11",
  travel: "M9 18l14-6-4 12-3-5z",
};

export function Mark({ name, size = 20 }: { name: string; size?: number }) {
  const shape = SHAPES[name];
  return (
    <svg className={`assistant-mark mark-${name || "madang"}`} viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect x="3" y="3" width="26" height="26" rx="8" />
      {shape ? <path d={shape} fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round" /> : <rect className="yard" x="10.500" y="10.500" width="11" height="11" rx="2.500" />}
    </svg>
  );
}
