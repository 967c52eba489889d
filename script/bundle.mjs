// Builds the bundles that pages load: one per page of the shell and one per task type, with source maps.
//
//   script/node node script/bundle.mjs           writes the bundles and static/dist/CHECKSUMS
//   script/node node script/bundle.mjs --check   compares the bundles with their sources, byte for byte
//
// Several folders are served as one: `../js/annotate/dom.js` in bws/static/bws/ is static/js/annotate/dom.js, as in the
// browser, which sees both below /static/.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const ROOTS = [
  "static",
  "bws/static",
  "paraphrase/static",
  "evaluation/static",
  "layouts/static",
  ...["pairs", "words", "chunks"].map((name) => `alignment_ui/${name}/static`),
];
const SHELL = {
  "dist/": [
    "js/head.js",
    "js/shared.js",
    "js/annotate/work.js",
    "js/annotate/not_me.js",
    "js/annotate/copying.js",
    "js/annotate/waiting.js",
    "js/annotate/moments.js",
    "js/annotate/signs.js",
    "js/mturk/hit.js",
    "js/charts/index.js",
    "css/pages/annotate.css",
    "css/pages/console.css",
    "css/pages/panels.css",
    "css/pages/plain.css",
    "css/pages/question.css",
  ],
};
const CONSOLE = ["shell", "dialogs", "upload", "candidate", "adjudicate", "answers", "pay", "api-docs"].map(
  (name) => `js/console/${name}.js`,
);
const TASKS = ["bws", "paraphrase", "words", "chunks", "layouts"];
const FRAME = "layouts/frame.js"; // a script in a page of its own, in which it must not define names
const PARTS = ["chunks/visits.js", "chunks/review.js", FRAME]; // that task types load by their address
const CHECKSUMS = "static/dist/CHECKSUMS";

// A specifier that begins with a dot refers to a file in any of the served folders.
const servedAsOne = {
  name: "served-as-one",
  setup({ onResolve }) {
    onResolve({ filter: /^\.|\.css$/ }, ({ path: wanted, resolveDir, kind }) => {
      if (kind === "entry-point") return null;
      if (kind === "dynamic-import") return { path: wanted, external: true }; // a file beside the bundle
      const url = path.relative(path.join(HERE, rootOf(resolveDir)), path.resolve(resolveDir, wanted));
      return { path: located(url) };
    });
  },
};

const outputs = await bundles();
const sums = [...outputs]
  .map(([file, contents]) => `${createHash("sha256").update(contents).digest("hex")}  ${file}\n`)
  .sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1))
  .join("");
outputs.set(CHECKSUMS, Buffer.from(sums));
if (process.argv.includes("--check")) await compare();
else await write();

async function bundles() {
  const entries = [
    ...[...SHELL["dist/"], ...CONSOLE].map((url) => ({
      url,
      to: `static/dist/${path.basename(url).replace("index", "charts")}`,
    })),
    ...PARTS.map((url) => ({ url, to: `${rootOf(located(url))}/${url.replace("/", "/dist/")}` })),
    ...TASKS.flatMap((task) =>
      ["js", "css"].map((kind) => ({
        url: `${task}/${task}.${kind}`,
        to: `${rootOf(located(`${task}/${task}.js`))}/${task}/dist/${task}.${kind}`,
      })),
    ),
  ];
  const files = new Map();
  for (const { url, to } of entries) {
    const { outputFiles } = await build({
      entryPoints: [located(url)],
      outfile: path.join(HERE, to),
      absWorkingDir: HERE,
      bundle: true,
      minify: true,
      format: url === FRAME ? "iife" : "esm",
      target: "es2022",
      charset: "utf8",
      legalComments: "none",
      sourcemap: url === FRAME ? false : "linked",
      write: false,
      plugins: [servedAsOne],
    });
    for (const { path: file, contents } of outputFiles) files.set(path.relative(HERE, file), Buffer.from(contents));
  }
  return files;
}

function located(url) {
  const root = ROOTS.find((folder) => existsSync(path.join(HERE, folder, url)));
  if (!root) throw new Error(`${url} is in none of the served folders`);
  return path.join(HERE, root, url);
}

// The served folder that contains a file.
function rootOf(file) {
  const place = path.relative(HERE, file);
  const root = ROOTS.find((folder) => place === folder || place.startsWith(`${folder}/`));
  if (!root) throw new Error(`${place} is in none of the served folders`);
  return root;
}

async function committed() {
  const files = [];
  for (const root of ROOTS) {
    if (!existsSync(path.join(HERE, root))) continue;
    for (const entry of await readdir(path.join(HERE, root), { recursive: true, withFileTypes: true })) {
      const file = path.relative(HERE, path.join(entry.parentPath, entry.name));
      if (entry.isFile() && path.basename(path.dirname(file)) === "dist") files.push(file);
    }
  }
  return files;
}

async function write() {
  for (const file of await committed()) if (!outputs.has(file)) await rm(path.join(HERE, file));
  for (const [file, contents] of outputs) {
    await mkdir(path.join(HERE, path.dirname(file)), { recursive: true });
    await writeFile(path.join(HERE, file), contents);
  }
}

async function compare() {
  const stale = (await committed()).filter((file) => !outputs.has(file));
  for (const [file, contents] of outputs) {
    const same = existsSync(path.join(HERE, file)) && contents.equals(await readFile(path.join(HERE, file)));
    if (!same) stale.push(file);
  }
  if (stale.length === 0) return;
  console.error(
    `These bundles differ from their sources. Build them again with "script/node node script/bundle.mjs".\n${stale.sort().join("\n")}`,
  );
  process.exit(1);
}
