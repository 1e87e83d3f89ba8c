-- +goose Up
-- An event may be a line in the record of a run of copying, and no file in the log of its package.
ALTER TABLE events ADD COLUMN run TEXT COLLATE "C" NOT NULL DEFAULT '';

-- The runs of copying with their records in the table events.
CREATE TABLE copyings (
    run TEXT COLLATE "C" PRIMARY KEY
);

-- Lines of records that are being read. They wait here for their package, which the catalogue may not have yet.
CREATE TABLE lines (
    package TEXT COLLATE "C" NOT NULL,
    file    TEXT COLLATE "C" NOT NULL,
    id      TEXT COLLATE "C" NOT NULL,
    type    TEXT COLLATE "C" NOT NULL,
    time    TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    detail  TEXT COLLATE "C" NOT NULL,
    copy    TEXT COLLATE "C" NOT NULL,
    run     TEXT COLLATE "C" NOT NULL,
    leaf    BIGINT NOT NULL, -- of the run, in the register
    PRIMARY KEY (package, file)
);

CREATE INDEX lines_run ON lines (run);
