-- +goose Up
-- The numbers of packages, and their sums: docs/reference/376_numbers.md.

CREATE TABLE counted (
    number  BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    package TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES packages (id) ON DELETE CASCADE, -- or collection
    state   TEXT COLLATE "C" NOT NULL -- none: not read yet; part: some are missing; exact
);

CREATE TABLE numbers (
    package    BIGINT NOT NULL, -- number of counted
    kind       TEXT COLLATE "C" NOT NULL,    -- criterion: host, format, …
    name       TEXT COLLATE "C" NOT NULL,
    harvest    INTEGER NOT NULL, -- of the package, from 1; 0 outside any harvest
    year       INTEGER NOT NULL, -- of the first capture of the containers; 0 if it is not known
    count      BIGINT NOT NULL,
    bytes      BIGINT NOT NULL,
    containers BIGINT NOT NULL,
    PRIMARY KEY (package, kind, name, harvest, year)
);

CREATE INDEX numbers_name ON numbers (kind, name);

CREATE TABLE sums (
    scope      TEXT COLLATE "C" NOT NULL,    -- '' for the repository, else the id of a collection
    kind       TEXT COLLATE "C" NOT NULL,
    year       INTEGER NOT NULL, -- as in numbers; -1 for all years
    name       TEXT COLLATE "C" NOT NULL,
    count      BIGINT NOT NULL,
    bytes      BIGINT NOT NULL,
    containers BIGINT NOT NULL,
    packages   BIGINT NOT NULL,
    PRIMARY KEY (scope, kind, year, name)
);

CREATE INDEX sums_count ON sums (scope, kind, year, count DESC, name);

CREATE TABLE members (
    collection TEXT COLLATE "C" NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    package    TEXT COLLATE "C" NOT NULL, -- it need not be stored
    PRIMARY KEY (collection, package)
);

CREATE INDEX members_package ON members (package);

-- The packages of before have no numbers yet. They are counted as such.
INSERT INTO counted (package, state) SELECT id, 'none' FROM packages WHERE object NOT LIKE 'urn:quire:document:%';

INSERT INTO numbers SELECT number, 'package', 'none', 0, CAST(coalesce(nullif(substr(first, 1, 4), ''), '0') AS BIGINT), 1, bytes, containers
    FROM counted JOIN packages ON id = package WHERE profile != 'Quire web-archive collection 1.0';

INSERT INTO sums SELECT '', kind, year, name, sum(count), sum(bytes), sum(containers), count(*)
    FROM numbers GROUP BY kind, year, name;
INSERT INTO sums SELECT '', kind, -1, name, sum(count), sum(bytes), sum(containers), count(*)
    FROM numbers GROUP BY kind, name;
