// Choices to click; typing something else is always possible.

export const labelOf = (choice: unknown): string => {
  if (choice === null || typeof choice !== "object") return String(choice);
  const given = choice as { label?: unknown; value?: unknown };
  return String(given.label ?? given.value ?? JSON.stringify(choice));
};

export const valueOf = (choice: unknown): unknown => {
  if (choice === null || typeof choice !== "object") return String(choice);
  const given = choice as { value?: unknown };
  return given.value ?? labelOf(choice);
};

export function Chips({ choices, pick }: { choices: unknown[]; pick: (value: unknown) => void }) {
  return (
    <div className="chips">
      {choices.map((choice, index) => <button key={index} type="button" className="chip" onClick={() => pick(valueOf(choice))}>{labelOf(choice)}</button>)}
    </div>
  );
}
