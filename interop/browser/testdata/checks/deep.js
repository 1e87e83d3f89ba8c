export const deep = "deep of " + new URL(import.meta.url).host;
