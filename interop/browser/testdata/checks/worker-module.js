import { word } from "./word.js";
const { later } = await import("./later.js");
postMessage({ word, later, meta: import.meta.url, href: self.location.href });
