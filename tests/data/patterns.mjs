// Checks patterns.json against this engine, and writes patterns_random.json: what an ECMA-262 engine says about random
// patterns. Run by hand with node (`node tests/data/patterns.mjs`) when either changes; the tests only read the files.
//
// The reading is JSON Schema's: the `u` flag, and where that is a syntax error, no flag.
import { readFileSync, writeFileSync } from "node:fs";

const here = new URL(".", import.meta.url).pathname;

function compile(pattern) {
  try { return new RegExp(pattern, "u"); } catch { /* by Annex B */ }
  try { return new RegExp(pattern); } catch { return null; }
}

let cases = 0;
for (const entry of JSON.parse(readFileSync(here + "patterns.json", "utf8"))) {
  if (!Array.isArray(entry)) continue;
  const [pattern, accept, refuse] = entry;
  const regex = compile(pattern);
  if (!regex) { console.log("syntax:", pattern); continue; }
  for (const [texts, expected] of [[accept, true], [refuse, false]]) {
    for (const text of texts) {
      cases++;
      if (regex.test(text) !== expected) console.log("disagrees:", JSON.stringify(pattern), JSON.stringify(text));
    }
  }
}
console.log(cases, "hand-written cases");

// splitmix64, so that the file can be made again.
let state = 0x5eedn;
function next(below) {
  state = (state + 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
  let z = state;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & 0xffffffffffffffffn;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & 0xffffffffffffffffn;
  return Number((z ^ (z >> 31n)) % BigInt(below));
}
const pick = (list) => list[next(list.length)];

const atoms = ["a", "b", "a", "b", "ab", ".", "[ab]", "[^a]", "\\w", "\\W", "\\d", "\\s", "-", "[a-c1]", "1", "é"];
const odd = ["]", "{", "}", "a{,2}", "\\-", "[\\w-]", "[\\w-a]", "\\_", "\\1", "\\07", "\\x6", "\\u6", "[]", "[^]", "\\p{L}", "\\P{Lu}", "\\cA", "\\c", "\\ud800", "😀"];
const asserts = ["^", "$", "^", "$", "\\b", "\\B"];
const counts = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{2,3}", "{0}", "{1,9}"];

function pattern(depth, flavour) {
  const parts = [];
  const n = 1 + next(3);
  for (let i = 0; i < n; i++) {
    const roll = next(20);
    let part;
    if (depth > 0 && roll < 6) {
      const open = flavour.look && next(3) === 0 ? pick(["(?=", "(?!"]) : pick(["(", "(?:", "(?:"]);
      part = open + pattern(depth - 1, flavour) + ")";
    } else if (flavour.assert && roll < 10) {
      parts.push(pick(asserts));
      continue;
    } else if (flavour.odd && roll < 14) {
      part = pick(odd);
    } else {
      part = pick(atoms);
    }
    if (next(3) === 0) part += pick(counts);
    parts.push(part);
  }
  let all = parts.join("");
  if (next(5) === 0) all += "|" + (depth > 0 ? pattern(depth - 1, flavour) : pick(atoms));
  return all;
}

const letters = ["a", "b", "a", "b", "c", "1", "-", " ", "\n", "é", "_", "]", "{"];
function text() {
  let out = "";
  for (let n = next(7); n > 0; n--) out += pick(letters);
  return out;
}

const lines = [];
const seen = new Set();
const flavours = [{}, { assert: true }, { assert: true, look: true }, { odd: true }, { odd: true, assert: true, look: true }];
while (lines.length < 2500) {
  const made = pattern(2, flavours[lines.length % flavours.length]);
  if (seen.has(made)) continue;
  seen.add(made);
  const regex = compile(made);
  // Without the flag this engine matches UTF-16 units; we match code points.
  if (!regex || (!regex.unicode && made.includes("😀"))) continue;
  const accept = [], refuse = [];
  const texts = new Set(["", "a", "ab", "b"]);
  while (texts.size < 24) texts.add(text());
  for (const t of texts) (regex.test(t) ? accept : refuse).push(t);
  lines.push(JSON.stringify([made, accept.slice(0, 8), refuse.slice(0, 8)]));
}
writeFileSync(here + "patterns_random.json", "[\n" + lines.join(",\n") + "\n]\n");
console.log(lines.length, "random patterns");
