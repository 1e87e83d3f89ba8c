-- The index of the archive: the data that OAI-PMH must remember and that is stored nowhere else.
-- Package holdings knows the captures, their places and the access decisions.
--
-- A batch is the set of records of a package that appear, or are deleted, at one moment. They are
-- numbered in the order of their identifiers. A list is a sequence of batches, so that any page of
-- it is found at once. A batch is in force from "stamp" to "until". A later state of a record is in
-- another batch, so that an embargo ends by itself.

CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE package (
	id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, inventory TEXT NOT NULL, -- SHA-512 of the inventory that was indexed; "" is: index again
	published TEXT NOT NULL, -- the inventory that the listed records are from
	problem TEXT NOT NULL, tries INTEGER NOT NULL, retry INTEGER NOT NULL,
	shown INTEGER NOT NULL, hidden INTEGER NOT NULL, unstated INTEGER NOT NULL, left_out TEXT NOT NULL
) STRICT;
CREATE TABLE record (
	id INTEGER PRIMARY KEY, package INTEGER NOT NULL, mark INTEGER NOT NULL, identifier TEXT NOT NULL, -- mark is from the identifier
	mime INTEGER NOT NULL, major INTEGER NOT NULL, host INTEGER NOT NULL, year INTEGER NOT NULL -- sets; 0 is none
) STRICT;
CREATE INDEX record_mark ON record (mark);
CREATE INDEX record_package ON record (package);
CREATE TABLE waiting (package INTEGER NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (digest, package)) STRICT, WITHOUT ROWID; -- revisits without a payload
CREATE TABLE refers (package INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (name, package)) STRICT, WITHOUT ROWID; -- revisits of payloads in other packages
CREATE TABLE member_of (collection INTEGER NOT NULL, name TEXT NOT NULL, harvest INTEGER NOT NULL, since INTEGER NOT NULL, title TEXT NOT NULL,
	PRIMARY KEY (name, collection)) STRICT, WITHOUT ROWID;
CREATE TABLE grouped (package INTEGER NOT NULL, spec INTEGER NOT NULL, PRIMARY KEY (package, spec)) STRICT, WITHOUT ROWID;
CREATE TABLE spec (id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE, title TEXT NOT NULL) STRICT;
CREATE TABLE batch (
	id INTEGER PRIMARY KEY, package INTEGER NOT NULL, stamp INTEGER NOT NULL, until INTEGER NOT NULL, deleted INTEGER NOT NULL,
	description INTEGER NOT NULL, n INTEGER NOT NULL
) STRICT;
CREATE INDEX batch_stamp ON batch (stamp, until);
CREATE INDEX batch_package ON batch (package);
CREATE TABLE listed (batch INTEGER NOT NULL, ordinal INTEGER NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (batch, ordinal)) STRICT, WITHOUT ROWID;
CREATE INDEX listed_record ON listed (record);
CREATE TABLE member (spec INTEGER NOT NULL, batch INTEGER NOT NULL, ordinal INTEGER NOT NULL, PRIMARY KEY (spec, batch, ordinal)) STRICT, WITHOUT ROWID;
CREATE TABLE tally (batch INTEGER NOT NULL, spec INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (batch, spec)) STRICT, WITHOUT ROWID;
CREATE INDEX tally_spec ON tally (spec, batch);
