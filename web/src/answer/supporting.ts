// Which sentence of a source an answer leans on most: the one that shares most with it, figures above all.

const sentencesOf = (text: string): string[] => text.match(/[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]*\s*/g) ?? [];

function parts(text: string): Set<string> {
  const found = new Set<string>(text.match(/\d[\d,.]*\d|\d/g) ?? []);
  for (const word of text.match(/[\p{L}]{2,}/gu) ?? []) for (let i = 0; i + 2 <= word.length; i++) found.add(word.slice(i, i + 2));
  return found;
}

// The source in pieces, of which one may be marked. A single sentence isn't: it is all there is.
export function marked(source: string, answer: string): { text: string; marks: boolean }[] {
  const sentences = sentencesOf(source);
  if (sentences.length < 2 || sentences.join("") !== source) return [{ text: source, marks: false }];
  const said = parts(answer);
  const scores = sentences.map((one) => {
    const own = [...parts(one)];
    return own.filter((part) => said.has(part)).reduce((sum, part) => sum + (/\d/.test(part) ? 3 : 1), 0) / Math.sqrt(own.length || 1);
  });
  const best = scores.indexOf(Math.max(...scores));
  return sentences.map((text, index) => ({ text, marks: index === best && (scores[best] ?? 0) > 0.5 }));
}
