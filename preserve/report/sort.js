// Headings of sortable tables become buttons. Without this script the tables keep their order: the
// most important rows first.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (head.classList.contains("graph")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    const paper = document.createElement("span"); // for print: a heading repeated on each sheet cannot have buttons
    paper.className = "paper";
    paper.textContent = head.textContent;
    head.replaceChildren(button, paper);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      const value = row => { const cell = row.cells[column]; return cell.dataset.value ?? cell.textContent.trim(); };
      const numeric = head.classList.contains("num");
      const order = numeric ? (a, b) => a - b : new Intl.Collator("en", { numeric: true }).compare;
      const body = table.tBodies[0];
      const rows = [...body.rows].map(row => [value(row), row]).sort((a, b) => up ? order(a[0], b[0]) : order(b[0], a[0]));
      heads.forEach(h => h.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      body.append(...rows.map(r => r[1]));
    });
  });
}
