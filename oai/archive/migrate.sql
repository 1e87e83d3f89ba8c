-- From version 1, which had its own index of captures. Published records stay, and each package is
-- indexed again.

DROP TABLE content;
DROP TABLE holds;
DROP TABLE revisit;
DROP TABLE place;
DROP TABLE description;
CREATE TABLE waiting (package INTEGER NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (digest, package)) STRICT, WITHOUT ROWID;
CREATE TABLE refers (package INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (name, package)) STRICT, WITHOUT ROWID;
ALTER TABLE package ADD COLUMN published TEXT NOT NULL DEFAULT '';
DELETE FROM setting WHERE name = 'shown';
UPDATE package SET inventory = '';
