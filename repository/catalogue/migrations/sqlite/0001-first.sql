-- The index of a repository. Times are UTC, RFC 3339 with nanoseconds, '' where unknown. Digests are lower-case hex.

CREATE TABLE packages (
    id         TEXT PRIMARY KEY,     -- as the package's METS says
    object     TEXT NOT NULL UNIQUE, -- id of the OCFL object
    path       TEXT NOT NULL UNIQUE, -- of the object below a storage root
    title      TEXT NOT NULL,
    profile    TEXT NOT NULL,
    mets       TEXT NOT NULL,        -- path of the METS within the package
    head       INTEGER NOT NULL,     -- number of the newest version
    inventory  TEXT NOT NULL,        -- SHA-512 of the root inventory.json
    created    TEXT NOT NULL,        -- of the package, as its METS says
    stored     TEXT NOT NULL,        -- of version 1
    first      TEXT NOT NULL,        -- earliest capture
    last       TEXT NOT NULL,
    containers INTEGER NOT NULL,
    records    INTEGER NOT NULL,
    files      INTEGER NOT NULL,     -- of the newest version
    bytes      INTEGER NOT NULL      -- of the newest version
) WITHOUT ROWID;

CREATE TABLE versions (
    package   TEXT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    number    INTEGER NOT NULL,
    created   TEXT NOT NULL,
    message   TEXT NOT NULL,
    inventory TEXT NOT NULL, -- SHA-512 of vN/inventory.json
    files     INTEGER NOT NULL,
    bytes     INTEGER NOT NULL,
    PRIMARY KEY (package, number)
) WITHOUT ROWID;

CREATE TABLE files (
    package TEXT NOT NULL,
    version INTEGER NOT NULL,
    path    TEXT NOT NULL, -- within the package
    size    INTEGER NOT NULL,
    sha512  TEXT NOT NULL,
    use     TEXT NOT NULL, -- file group of the METS
    PRIMARY KEY (package, version, path),
    FOREIGN KEY (package, version) REFERENCES versions (package, number) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE copies (
    package TEXT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    name    TEXT NOT NULL, -- of the copy
    status  TEXT NOT NULL, -- good, damaged, missing
    since   TEXT NOT NULL, -- when the status was first seen
    checked TEXT NOT NULL, -- when every byte was last read
    PRIMARY KEY (package, name)
) WITHOUT ROWID;

CREATE TABLE events (
    package TEXT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    file    TEXT NOT NULL, -- name below the object's logs/
    id      TEXT NOT NULL,
    type    TEXT NOT NULL,
    time    TEXT NOT NULL,
    outcome TEXT NOT NULL,
    detail  TEXT NOT NULL,
    copy    TEXT NOT NULL, -- '' when the event is about all copies
    PRIMARY KEY (package, file)
) WITHOUT ROWID;

CREATE TABLE audits (
    run      TEXT NOT NULL,
    copy     TEXT NOT NULL,
    scope    TEXT NOT NULL, -- "all", or how many packages were named
    started  TEXT NOT NULL,
    finished TEXT NOT NULL,
    objects  INTEGER NOT NULL,
    files    INTEGER NOT NULL,
    bytes    INTEGER NOT NULL,
    problems INTEGER NOT NULL,
    PRIMARY KEY (run, copy)
) WITHOUT ROWID;
