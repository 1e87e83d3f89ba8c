-- A file that several versions have in common has one row. The rows come from the table files, in fill0002.

CREATE TABLE content (
    package TEXT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    path    TEXT NOT NULL,    -- within the package
    first   INTEGER NOT NULL, -- number of the first version that has the file with these values,
    last    INTEGER NOT NULL, -- and of the last; each version between them has it too
    size    INTEGER NOT NULL,
    sha512  BLOB NOT NULL,    -- the 64 bytes; as text if it is not lower-case hex
    use     TEXT NOT NULL,    -- file group of the METS
    PRIMARY KEY (package, path, first)
) WITHOUT ROWID;

-- The audit runs, complete or not. The table audits has their sums for each copy, once they ended.
CREATE TABLE runs (
    run      TEXT PRIMARY KEY,
    kind     TEXT NOT NULL,    -- full, sample, age or named: how the packages were chosen
    share    REAL NOT NULL,    -- of the packages, for a sample; else 0
    choice   TEXT NOT NULL,    -- JSON: all values of the choice, to go on with it
    resumes  TEXT NOT NULL,    -- the run that this one goes on with, or ''
    began    TEXT NOT NULL,    -- start of the first run of those that go on with each other
    started  TEXT NOT NULL,
    finished TEXT NOT NULL,    -- '' while it is under way
    ended    TEXT NOT NULL,    -- '' while it is under way; complete, or why it ended early
    whole    INTEGER NOT NULL, -- 1 if every copy of the repository was read
    chosen   INTEGER NOT NULL, -- packages to read
    done     INTEGER NOT NULL, -- packages read
    place    TEXT NOT NULL     -- JSON: the last package, for going on
) WITHOUT ROWID;

CREATE INDEX audits_started ON audits (started);

-- Before, a run was recorded only when it was complete.
INSERT INTO runs SELECT run, CASE scope WHEN 'all' THEN 'full' ELSE 'named' END, 0, '', '', min(started), min(started),
    max(finished), 'complete', 1, max(objects), max(objects), '' FROM audits GROUP BY run;
