-- No query asks for the packages with one name, and the sums of all names have rows of their own.

DROP INDEX numbers_name;

INSERT INTO sums SELECT '', 'total', year, kind, sum(count), sum(bytes), 0, count(DISTINCT package)
    FROM numbers WHERE kind != 'package' GROUP BY year, kind;
INSERT INTO sums SELECT '', 'total', -1, kind, sum(count), sum(bytes), 0, count(DISTINCT package)
    FROM numbers WHERE kind != 'package' GROUP BY kind;
INSERT INTO sums SELECT m.collection, 'total', year, kind, sum(count), sum(bytes), 0, count(DISTINCT n.package)
    FROM members m JOIN counted c ON c.package = m.package JOIN numbers n ON n.package = c.number
    WHERE kind != 'package' GROUP BY m.collection, year, kind;
INSERT INTO sums SELECT m.collection, 'total', -1, kind, sum(count), sum(bytes), 0, count(DISTINCT n.package)
    FROM members m JOIN counted c ON c.package = m.package JOIN numbers n ON n.package = c.number
    WHERE kind != 'package' GROUP BY m.collection, kind;
