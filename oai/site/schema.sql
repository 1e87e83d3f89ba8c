-- The index of one website. It can be rebuilt from the site, except tombstones and datestamps:
-- those are stored nowhere else.
CREATE TABLE resource (
    url       TEXT    PRIMARY KEY,          -- the identifier; BINARY collation: bytewise
    datestamp INTEGER NOT NULL,             -- Unix seconds: when the last change of it was seen
    born      INTEGER NOT NULL,             -- datestamp with which it appeared, or came back
    deleted   INTEGER NOT NULL DEFAULT 0,   -- 1: a tombstone, for ever
    mime      TEXT    NOT NULL,             -- "image/svg+xml"
    mimetop   TEXT    NOT NULL,             -- sets: "mime:image"
    mimeset   TEXT    NOT NULL,             --       "mime:image:svg~.xml"
    yearset   TEXT    NOT NULL,             --       "year:2015", of the last change that the server reports
    modified  INTEGER,                      -- Last-Modified, Unix seconds
    etag      TEXT    NOT NULL DEFAULT '',
    size      INTEGER NOT NULL DEFAULT -1,  -- bytes, if the server reports them; otherwise -1
    sha256    BLOB,                         -- of the bytes, if all of them were read
    evidence  TEXT    NOT NULL DEFAULT '',  -- shows that it is unchanged: time and size of a file, lastmod of a sitemap
    checked   INTEGER NOT NULL              -- Unix seconds: when the handler was last called
) WITHOUT ROWID;

-- Lists are read by key, from the end of the last page, so that the cost of a page depends only on
-- its size.
CREATE INDEX by_datestamp ON resource (datestamp, url);
CREATE INDEX by_mimetop ON resource (mimetop, datestamp, url);
CREATE INDEX by_mimeset ON resource (mimeset, datestamp, url);
CREATE INDEX by_yearset ON resource (yearset, datestamp, url);

-- The number of resources in each set, with deleted ones; "" is the set of all.
CREATE TABLE member (spec TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE fact (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX tombstone ON resource (url) WHERE deleted = 1;
