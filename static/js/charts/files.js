// The files of a chart: its drawing as SVG or PNG, and its table as CSV or LaTeX.

const SCALE = 3; // pixels of a PNG file per pixel of the page

/** @returns {Promise<Blob>} */
export async function fileOf(type, drawing, table) {
  if (type === "png") return png(drawing);
  if (type === "csv") return new Blob([csv(rowsOf(table))], { type: "text/csv" });
  if (type === "tex") return new Blob([latex(rowsOf(table))], { type: "application/x-tex" });
  return new Blob([drawing], { type: "image/svg+xml" });
}

async function png(drawing) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * image.naturalWidth;
  canvas.height = SCALE * image.naturalHeight;
  const paper = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  paper.fillStyle = "white";
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function rowsOf(table) {
  return [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()));
}

function csv(rows) {
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}

function latex(rows) {
  const [head, ...others] = rows;
  const line = (row) => `${row.map(escaped).join(" & ")} \\\\`;
  return [
    `\\begin{tabular}{l${"r".repeat(head.length - 1)}}`,
    "\\toprule",
    line(head),
    "\\midrule",
    ...others.map(line),
    "\\bottomrule",
    "\\end{tabular}",
    "",
  ].join("\n");
}

function escaped(text) {
  return text
    .replace(/[\\{}]/g, (sign) => (sign === "\\" ? "\\textbackslash{}" : `\\${sign}`))
    .replace(/[&%$#_]/g, "\\$&")
    .replaceAll("~", "\\textasciitilde{}")
    .replaceAll("^", "\\textasciicircum{}");
}
