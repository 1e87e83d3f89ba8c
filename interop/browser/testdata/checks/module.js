import { word, at } from "./word.js";
import { far, farAt } from "far";
import bare from "bare";
seen.module = { word, at, far, farAt, bare, meta: import.meta.url, here: window.location.pathname };
