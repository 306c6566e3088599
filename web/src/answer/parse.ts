// Markdown into a tree. HTML stays text; only http(s) links become links; emphasis works beside Korean particles.

import MarkdownIt from "markdown-it";
import cjk from "markdown-it-cjk-friendly";

export interface Node {
  tag: string;
  attributes: { [name: string]: string };
  children: Node[];
  text: string;
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true }).use(cjk);
markdown.validateLink = (url: string) => /^https?:\/\//i.test(url.trim());
markdown.disable("image");

interface Token {
  type: string;
  tag: string;
  nesting: number;
  content: string;
  children: Token[] | null;
  attrs: [string, string][] | null;
  hidden: boolean;
}

const node = (tag: string, text = "", attributes: Node["attributes"] = {}): Node => ({ tag, text, attributes, children: [] });

export function parseMarkdown(text: string): Node[] {
  return grow(markdown.parse(text, {}) as unknown as Token[]);
}

function grow(tokens: Token[]): Node[] {
  const root = node("root");
  const open = [root];
  for (const token of tokens) {
    const here = open.at(-1) ?? root;
    if (token.nesting === 1) {
      const made = node(token.hidden ? "" : token.tag, "", Object.fromEntries(token.attrs ?? []));
      here.children.push(made);
      open.push(made);
    } else if (token.nesting === -1) open.pop();
    else here.children.push(...leaf(token));
  }
  return root.children;
}

function leaf(token: Token): Node[] {
  switch (token.type) {
    case "inline":
      return grow(token.children ?? []);
    case "text":
    case "text_special":
      return token.content ? [node("text", token.content)] : [];
    case "softbreak":
    case "hardbreak":
      return [node("br")];
    case "code_inline":
      return [node("code", token.content)];
    case "fence":
    case "code_block":
      return [{ ...node("pre"), children: [node("code", token.content)] }];
    case "hr":
      return [node("hr")];
    default:
      return token.content ? [node("text", token.content)] : [];
  }
}

export const textOf = (one: Node): string => one.text + one.children.map(textOf).join("");
