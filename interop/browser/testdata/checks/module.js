import { word, at } from "./word.js";
import { far, farAt } from "far";
import bare from "bare";
export const location = { mine: true };
seen.module = { word, at, far, farAt, bare, meta: import.meta.url, here: window.location.pathname, mine: location.mine };
