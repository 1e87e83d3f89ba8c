-- +goose Up
-- The index of a repository. Times are UTC, RFC 3339 with nanoseconds, '' where unknown. Digests are lower-case hex.
-- Texts are compared by their bytes, as in a file of SQLite.

CREATE TABLE packages (
    id         TEXT COLLATE "C" PRIMARY KEY,     -- as the package's METS says
    object     TEXT COLLATE "C" NOT NULL, -- id of the OCFL object
    path       TEXT COLLATE "C" NOT NULL, -- of the object below a storage root
    title      TEXT COLLATE "C" NOT NULL,
    profile    TEXT COLLATE "C" NOT NULL,
    mets       TEXT COLLATE "C" NOT NULL,        -- path of the METS within the package
    head       BIGINT NOT NULL,     -- number of the newest version
    inventory  TEXT COLLATE "C" NOT NULL,        -- SHA-512 of the root inventory.json
    created    TEXT COLLATE "C" NOT NULL,        -- of the package, as its METS says
    stored     TEXT COLLATE "C" NOT NULL,        -- of version 1
    first      TEXT COLLATE "C" NOT NULL,        -- earliest capture
    last       TEXT COLLATE "C" NOT NULL,
    containers BIGINT NOT NULL,
    records    BIGINT NOT NULL,
    files      BIGINT NOT NULL,     -- of the newest version
    bytes      BIGINT NOT NULL      -- of the newest version
);

-- The conditions are always true. With them, these are no keys to which rows of other tables could refer. So a
-- package can be written while another transaction adds an event to it.
CREATE UNIQUE INDEX packages_object ON packages (object) WHERE object IS NOT NULL;
CREATE UNIQUE INDEX packages_path ON packages (path) WHERE path IS NOT NULL;

CREATE TABLE versions (
    package   TEXT COLLATE "C" NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    number    BIGINT NOT NULL,
    created   TEXT COLLATE "C" NOT NULL,
    message   TEXT COLLATE "C" NOT NULL,
    inventory TEXT COLLATE "C" NOT NULL, -- SHA-512 of vN/inventory.json
    files     BIGINT NOT NULL,
    bytes     BIGINT NOT NULL,
    PRIMARY KEY (package, number)
);

CREATE TABLE copies (
    package TEXT COLLATE "C" NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    name    TEXT COLLATE "C" NOT NULL, -- of the copy
    status  TEXT COLLATE "C" NOT NULL, -- good, damaged, missing
    since   TEXT COLLATE "C" NOT NULL, -- when the status was first seen
    checked TEXT COLLATE "C" NOT NULL, -- when every byte was last read
    PRIMARY KEY (package, name)
);

CREATE TABLE events (
    package TEXT COLLATE "C" NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    file    TEXT COLLATE "C" NOT NULL, -- name below the object's logs/
    id      TEXT COLLATE "C" NOT NULL,
    type    TEXT COLLATE "C" NOT NULL,
    time    TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    detail  TEXT COLLATE "C" NOT NULL,
    copy    TEXT COLLATE "C" NOT NULL, -- '' when the event is about all copies
    PRIMARY KEY (package, file)
);

CREATE TABLE audits (
    run      TEXT COLLATE "C" NOT NULL,
    copy     TEXT COLLATE "C" NOT NULL,
    scope    TEXT COLLATE "C" NOT NULL, -- "all", or how many packages were named
    started  TEXT COLLATE "C" NOT NULL,
    finished TEXT COLLATE "C" NOT NULL,
    objects  BIGINT NOT NULL,
    files    BIGINT NOT NULL,
    bytes    BIGINT NOT NULL,
    problems BIGINT NOT NULL,
    PRIMARY KEY (run, copy)
);

CREATE TABLE content (
    package TEXT COLLATE "C" NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    path    TEXT COLLATE "C" NOT NULL,    -- within the package
    first   BIGINT NOT NULL, -- number of the first version that has the file with these values,
    last    BIGINT NOT NULL, -- and of the last; each version between them has it too
    size    BIGINT NOT NULL,
    sha512  TEXT COLLATE "C" NOT NULL,    -- lower-case hex
    use     TEXT COLLATE "C" NOT NULL     -- file group of the METS
);

-- No key: a path may be longer than the row of an index.
CREATE INDEX content_package ON content (package);

CREATE TABLE runs (
    run      TEXT COLLATE "C" PRIMARY KEY,
    kind     TEXT COLLATE "C" NOT NULL,    -- full, sample, age or named: how the packages were chosen
    share    DOUBLE PRECISION NOT NULL,    -- of the packages, for a sample; else 0
    choice   TEXT COLLATE "C" NOT NULL,    -- JSON: all values of the choice, to go on with it
    resumes  TEXT COLLATE "C" NOT NULL,    -- the run that this one goes on with, or ''
    began    TEXT COLLATE "C" NOT NULL,    -- start of the first run of those that go on with each other
    started  TEXT COLLATE "C" NOT NULL,
    finished TEXT COLLATE "C" NOT NULL,    -- '' while it is under way
    ended    TEXT COLLATE "C" NOT NULL,    -- '' while it is under way; complete, or why it ended early
    whole    BOOLEAN NOT NULL, -- whether every copy of the repository was read
    chosen   BIGINT NOT NULL, -- packages to read
    done     BIGINT NOT NULL, -- packages read
    place    TEXT COLLATE "C" NOT NULL     -- JSON: the last package, for going on
);

CREATE INDEX audits_started ON audits (started);

-- Counts the transactions of all processes: see Catalogue.Changes.
CREATE TABLE changes (
    slot   INTEGER PRIMARY KEY,
    number BIGINT NOT NULL
);

-- The holders of locks, for people. The locks themselves are advisory locks of sessions.
CREATE TABLE locks (
    name   TEXT COLLATE "C" PRIMARY KEY,
    holder TEXT NOT NULL
);
