export const word = "carried", at = import.meta.url;
