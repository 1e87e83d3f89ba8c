-- Counts the transactions of the catalogue: see Catalogue.Changes. The file has other tables, too, with writers of
-- their own: those of the queue.
CREATE TABLE changes (
    slot   INTEGER PRIMARY KEY, -- 0
    number INTEGER NOT NULL
);
