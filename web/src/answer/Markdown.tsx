// An answer's Markdown. While it streams, only the last block is drawn again.

import { Fragment, createElement, memo, useMemo } from "react";
import type { ReactNode } from "react";
import { parseMarkdown, textOf } from "./parse";
import type { Node } from "./parse";
import { Table } from "./Table";

const KEPT = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "s", "blockquote", "del"]);

// A page has one h1, the conversation's name; an answer's headings begin below it.
const LOWER: { [tag: string]: string } = { h1: "h2", h2: "h3", h3: "h4", h4: "h5", h5: "h6", h6: "h6" };

export const Markdown = memo(function Markdown({ text, cite }: { text: string; cite?: (words: string) => ReactNode }) {
  const blocks = useMemo(() => split(text), [text]);
  return blocks.map((block, index) => <Block key={index} text={block} {...(cite ? { cite } : {})} />);
});

const Block = memo(function Block({ text, cite }: { text: string; cite?: (words: string) => ReactNode }) {
  return parseMarkdown(text).map((one, index) => <Fragment key={index}>{draw(one, cite)}</Fragment>);
});

// Paragraphs, except inside code and lists, so that what is complete isn't parsed again with each new word.
function split(text: string): string[] {
  const blocks: string[] = [];
  let fenced = false;
  for (const part of text.split(/\n{2,}/)) {
    const goesOn = fenced || (/^\s*([-*+•]|\d+[.)])\s|^\s{2,}/.test(part) && blocks.length > 0 && /^\s*([-*+•]|\d+[.)])\s/m.test(blocks.at(-1) ?? ""));
    if (goesOn) blocks[blocks.length - 1] += `\n\n${part}`;
    else blocks.push(part);
    if ((part.match(/^\s*(```|~~~)/gm)?.length ?? 0) % 2) fenced = !fenced;
  }
  return blocks;
}

function draw(one: Node, cite?: (words: string) => ReactNode): ReactNode {
  const inside = (): ReactNode[] => one.children.map((child, index) => <Fragment key={index}>{draw(child, cite)}</Fragment>);
  switch (one.tag) {
    case "text":
      return cite?.(one.text) ?? one.text;
    case "br":
      return <br />;
    case "hr":
      return <hr />;
    case "code":
      return <code>{one.text}</code>;
    case "pre":
      return <pre tabIndex={0}><code>{one.children[0]?.text}</code></pre>;
    case "a":
      return <a href={one.attributes["href"]} target="_blank" rel="noopener noreferrer">{inside()}</a>;
    case "table":
      return <Table {...cells(one)} />;
    default:
      if (!KEPT.has(one.tag)) return inside();
      return createElement(LOWER[one.tag] ?? one.tag, one.tag === "ol" && one.attributes["start"] ? { start: Number(one.attributes["start"]) } : null, ...inside());
  }
}

function cells(table: Node): { columns: string[]; rows: string[][] } {
  const lines: string[][] = [];
  const walk = (one: Node): void => {
    if (one.tag === "tr") lines.push(one.children.map(textOf));
    else one.children.forEach(walk);
  };
  walk(table);
  return { columns: lines[0] ?? [], rows: lines.slice(1) };
}
