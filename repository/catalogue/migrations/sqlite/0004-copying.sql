-- An event may be a line in the record of a run of copying, and no file in the log of its package.
ALTER TABLE events ADD COLUMN run TEXT NOT NULL DEFAULT ''; -- the run that has the event in its record; '' for a file

-- The runs of copying with their records in the table events.
CREATE TABLE copyings (
    run TEXT PRIMARY KEY
) WITHOUT ROWID;

-- Lines of records that are being read. They wait here for their package, which the catalogue may not have yet.
CREATE TABLE lines (
    package TEXT NOT NULL,
    file    TEXT NOT NULL,
    id      TEXT NOT NULL,
    type    TEXT NOT NULL,
    time    TEXT NOT NULL,
    outcome TEXT NOT NULL,
    detail  TEXT NOT NULL,
    copy    TEXT NOT NULL,
    run     TEXT NOT NULL,
    leaf    INTEGER NOT NULL, -- of the run, in the register
    PRIMARY KEY (package, file)
) WITHOUT ROWID;

CREATE INDEX lines_run ON lines (run);
