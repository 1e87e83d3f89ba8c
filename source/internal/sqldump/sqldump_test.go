package sqldump

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/format/fault"
	"quire/internal/testsamples"
)

// rows reads a dump, and returns each row as a line table(column=value, …), and the codes of the
// faults.
func rows(t testing.TB, dump string) (all []string, faults string) {
	t.Helper()
	r := NewReader(strings.NewReader(dump))
	r.Report = func(f fault.Fault) { faults += string(f.Code) + " " }
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, strings.TrimSpace(faults)
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, shown(row))
	}
}

func shown(row *Row) string {
	var parts []string
	for i, v := range row.Values {
		name := "?"
		if i < len(row.Columns) {
			name = row.Columns[i]
		}
		value := fmt.Sprintf("%q", v.Text)
		switch {
		case v.Null:
			value = "NULL"
		case v.Expression:
			value = v.Text
		}
		parts = append(parts, name+"="+value)
	}
	return row.Table + "(" + strings.Join(parts, ", ") + ")"
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		name, dump string
		want       []string
		faults     string
	}{
		{"a row, columns named", `insert into DB_WCT.AGENCY (AGC_OID,AGC_NAME) values (0,'it''s');`,
			[]string{`agency(agc_oid=0, agc_name="it's")`}, ""},
		{"several rows", "INSERT INTO t(a) VALUES (1),\n (2) , (NULL);", []string{`t(a=1)`, `t(a=2)`, `t(a=NULL)`}, ""},
		{"columns from the table",
			"create table S.T (A int8 not null, `KEY` varchar(10) default 'x,)', key k (a), primary key (A), " +
				"constraint c check (A in (1,2)));\ninsert into T values (1, 'b');",
			[]string{`t(a=1, key="b")`}, ""},
		{"columns unknown", `insert into t values ('a', -1.5e3);`, []string{`t(?="a", ?=-1.5e3)`}, ""},
		{"a backslash is itself", `insert into t(a,b) values ('c:\', 'x');`, []string{`t(a="c:\\", b="x")`}, ""},
		{"E", `insert into t(a) values (E'a\'b\\\n\x41\101\u00e9');`, []string{`t(a="a'b\\\nAAé")`}, ""},
		{"MySQL, by its marks", "insert into `t` (`a`,b) values ('it\\'s\\n\\0\\x', '\\%');",
			[]string{"t(a=\"it's\\n\\x00x\", b=\"\\\\%\")"}, ""},
		{"MySQL, by its head", "-- MySQL dump 10.13\ninsert into t (a) values ('a\\',(\\'b');",
			[]string{`t(a="a',('b")`}, ""},
		{"MySQL, concluded", `insert into t (a,b) values ('it\'s', 1);`, []string{`t(a="it's", b=1)`}, ""},
		{"older PostgreSQL", "SET standard_conforming_strings = off;\ninsert into t (a) values ('\\x41\\'');",
			[]string{`t(a="A'")`}, ""},
		{"Oracle",
			"REM it's a comment\nSET DEFINE OFF\nInsert into WCT.T (A,B,C) values (1,to_date('2007-01-25, x'," +
				"'YYYY-MM-DD'),q'[it's]');\n/\nexit\n",
			[]string{`t(a=1, b=to_date('2007-01-25, x','YYYY-MM-DD'), c="it's")`}, ""},
		{"concatenation", `insert into t (a) values ('a'||chr(10)||'b');`, []string{`t(a='a'||chr(10)||'b')`}, ""},
		{"cast, timestamp", `insert into t (a,b) values ('2007-01-25'::date, timestamp '2007-01-25 10:00:00');`,
			[]string{`t(a="2007-01-25", b="2007-01-25 10:00:00")`}, ""},
		{"functions", `insert into t (a,b,c) values (now(), CURRENT_TIMESTAMP, coalesce(1,(2)));`,
			[]string{`t(a=now(), b=CURRENT_TIMESTAMP, c=coalesce(1,(2)))`}, ""},
		{"INSERT ALL", `insert all into t (a) values (1) into u (b) values (2) select * from dual;`,
			[]string{`t(a=1)`, `u(b=2)`}, ""},
		{"ON CONFLICT",
			`insert into t (a) values (1) on conflict do nothing; insert into t (a) values (2) returning a;`,
			[]string{`t(a=1)`, `t(a=2)`}, ""},
		{"SELECT gives none", `insert into t (a) select a from u where b = ';'; insert into t (a) values (1);`,
			[]string{`t(a=1)`}, ""},
		{"comments",
			"/* a /* b */ c */ -- insert into t (a) values (0);\ninsert /* x */ into t (a) -- y\n values (1 /* ) */, " +
				"'--');", []string{`t(a=1, ?="--")`}, "SQL-STATEMENT"},
		{"COPY",
			"COPY public.t (a, b, c) FROM stdin;\n1\t\\N\ta\\tb\\\\c\\n\\x41\n2\t\t;\n\\.\n\ninsert into t (a) " +
				"values (3);", []string{`t(a="1", b=NULL, c="a\tb\\c\nA")`, `t(a="2", b="", c=";")`, `t(a=3)`}, ""},
		{"COPY, columns from the table", "CREATE TABLE t (\n a bigint,\n b text\n);\nCOPY t FROM stdin;\n1\tx\n\\.\n",
			[]string{`t(a="1", b="x")`}, ""},
		{"COPY as CSV is not read", "COPY t (a) FROM stdin WITH CSV;\n1\n\\.\ninsert into t (a) values (2);",
			[]string{`t(a=2)`}, "SQL-STATEMENT"},
		{"a function of PostgreSQL",
			"CREATE OR REPLACE FUNCTION f() RETURNS int AS $PROC$\nBEGIN\ninsert into t (a) values (0);\nEND;\n" +
				"$PROC$ LANGUAGE plpgsql;\ninsert into t (a) values (1);", []string{`t(a=1)`}, ""},
		{"a trigger of MySQL",
			"DELIMITER ;;\nCREATE DEFINER=`w`@`%` TRIGGER x AFTER INSERT ON t FOR EACH ROW BEGIN\ninsert into t (a) " +
				"values (0);\nEND ;;\nDELIMITER ;\ninsert into t (a) values (1);", []string{`t(a=1)`}, ""},
		{"a procedure of Oracle",
			"create or replace procedure p is\nbegin\n if 1 = 1 then\n insert into t (a) values (0);\nend if;\nend p;" +
				"\n/\ninsert into t (a) values (1);", []string{`t(a=1)`}, ""},
		{"a block of Oracle",
			"DECLARE n number;\nBEGIN\n insert into t (a) values (0);\nEND;\n/\ninsert into t (a) values (1);",
			[]string{`t(a=1)`}, ""},
		{"transactions",
			"BEGIN;\ninsert into t (a) values (1);\nCOMMIT;\nBEGIN TRANSACTION;\ninsert into t (a) values (2);",
			[]string{`t(a=1)`, `t(a=2)`}, ""},
		{"psql", "\\restrict abc'def\n\\connect wct\ninsert into t (a) values (1);", []string{`t(a=1)`}, ""},
		{"conditional comments",
			"/*!40000 ALTER TABLE `t` DISABLE KEYS */;\nINSERT INTO `t` VALUES (1,'a\\'');\n/*!40000 ALTER TABLE `t` " +
				"ENABLE KEYS */;", []string{`t(?=1, ?="a'")`}, ""},
		{"torn in a string", "insert into t (a) values (1), ('abc", []string{`t(a=1)`}, "SQL-TORN"},
		{"torn in COPY", "COPY t (a) FROM stdin;\n1\n", []string{`t(a="1")`}, "SQL-TORN"},
		{"broken, and on", "insert into t (a) values (1;\nx y z)\ninsert into t (a) values (2);", []string{`t(a=2)`},
			"SQL-STATEMENT"},
		{"counts differ", `insert into t (a, b) values (1);`, []string{`t(a=1)`}, "SQL-STATEMENT"},
		{"nothing", " \n-- x\n", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, faults := rows(t, c.dump)
			if !slices.Equal(got, c.want) || faults != c.faults {
				t.Errorf("got %q, faults %q\nwant %q, faults %q", got, faults, c.want, c.faults)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	r := NewReader(strings.NewReader("insert into a (x) values (1);\ninsert into b (x) values\n (1),\n (2);\n"))
	var places []string
	for row, err := r.Next(); err == nil; row, err = r.Next() {
		places = append(places, fmt.Sprintf("%s, line %d, byte %d", row.Place("d.sql"), row.Line, row.Offset))
	}
	want := []string{"row 1 of table A in d.sql, line 1, byte 25", "row 1 of table B in d.sql, line 3, byte 56",
		"row 2 of table B in d.sql, line 4, byte 62"}
	if !slices.Equal(places, want) {
		t.Errorf("got %q", places)
	}
}

func TestWhatIsNotWantedIsCounted(t *testing.T) {
	r := NewReader(strings.NewReader("insert into a (x) values ('('),(2);COPY b (x) FROM stdin;\n1\n\\.\ninsert into " +
		"a (x) values (3);insert into b (x) values (4);"))
	r.Want = func(table string) bool { return table == "b" }
	var got []string
	for row, err := r.Next(); err == nil; row, err = r.Next() {
		got = append(got, row.Place("d"))
	}
	if !slices.Equal(got, []string{"row 1 of table B in d", "row 2 of table B in d"}) {
		t.Errorf("got %q", got)
	}
}

func TestLargeValuesAreCut(t *testing.T) {
	long := strings.Repeat("x", maxValue+10)
	for _, dump := range []string{"insert into t (a,b) values ('" + long + "','y');",
		"COPY t (a,b) FROM stdin;\n" + long + "\ty\n\\.\n"} {
		r := NewReader(strings.NewReader(dump))
		row, err := r.Next()
		if err != nil || len(row.Values[0].Text) != maxValue || !row.Values[0].Cut || row.Get("b") != "y" {
			t.Errorf("%d bytes, cut %v, %q, %v", len(row.Values[0].Text), row.Values[0].Cut, row.Get("b"), err)
		}
	}
}

func TestGatherFollowsRelationsWhateverTheOrder(t *testing.T) {
	dump := `insert into agency (oid, name) values (7, 'NLNZ'), (8, 'other');
insert into users (oid, agency) values (3, 7), (4, 8);
insert into note (of, text) values (1, 'a'), (2, 'b'), (1, 'c');
insert into instance (oid, owner) values (1, 3), (2, 4);`
	opened, seen := 0, 0
	db, err := Gather(t.Context(), func() (io.ReadCloser, error) {
		opened++
		return io.NopCloser(strings.NewReader(dump)), nil
	},
		[]Key{{"instance", "oid", "1"}},
		[]Relation{{"instance", "owner", "users", "oid"}, {"users", "agency", "agency", "oid"},
			{"instance", "oid", "note", "of"}},
		func(*Row) { seen++ })
	if err != nil {
		t.Fatal(err)
	}
	notes := db.Where("note", "of", "1")
	if len(notes) != 2 || notes[1].Get("text") != "c" || notes[1].Number != 3 ||
		db.One("agency", "oid", "7").Get("name") != "NLNZ" || db.One("agency", "oid", "8") != nil {
		t.Errorf("notes %v, agencies %v", notes, db.tables["agency"])
	}
	if opened != 3 || seen != 9 {
		t.Errorf("read %d times, %d rows seen", opened, seen)
	}
}

// TestSamples reads the dumps among the samples, and distinguishes data from text within a
// function.
func TestSamples(t *testing.T) {
	for _, c := range []struct {
		path string
		rows int
	}{
		{"samples/WebCuratorTool_webcurator/webcurator-db/latest/sql/wct-bootstrap-postgres.sql", 9},
		{"samples/WebCuratorTool_webcurator/webcurator-db/latest/sql/wct-qa-data-postgres.sql", 0},
		{"samples/WebCuratorTool_webcurator/webcurator-db/latest/sql/wct-indexes-postgres.sql", 0},
		{"samples/WebCuratorTool_webcurator/webcurator-db/latest/sql/wct-schema-postgres.sql", 3},
		{"samples/WebCuratorTool_webcurator/webcurator-db/legacy/sql/wct-schema-1_3-oracle.sql", 0},
		{"samples/WebCuratorTool_webcurator/webcurator-db/legacy/sql/wct-schema-1_6-oracle.sql", 0},
		{"samples/nla_pandas4/migrations/mysql/V55__Mysql_base_version.sql", 0},
	} {
		b, err := os.ReadFile(testsamples.Path(t, c.path))
		if err != nil {
			t.Fatal(err)
		}
		want := len(tablesOf(b))
		r := NewReader(bytes.NewReader(b))
		r.Report = func(f fault.Fault) { t.Errorf("%s: %v", filepath.Base(c.path), f) }
		n := 0
		for row, err := r.Next(); !errors.Is(err, io.EOF); row, err = r.Next() {
			if err != nil {
				t.Fatal(err)
			}
			if n++; row.Columns == nil || len(row.Columns) != len(row.Values) {
				t.Errorf("%s: %s", filepath.Base(c.path), shown(row))
			}
		}
		if n != c.rows || len(r.columns) != want {
			t.Errorf("%s: %d rows, %d tables; want %d and %d", filepath.Base(c.path), n, len(r.columns), c.rows, want)
		}
	}
}

// tablesOf finds the tables by their words alone, like grep.
func tablesOf(b []byte) map[string]bool {
	names := map[string]bool{}
	for line := range strings.SplitSeq(strings.ToLower(string(b)), "\n") {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "create table "); ok {
			names[strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == '(' })[0]] = true
		}
	}
	return names
}

func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		"create table t (a int, b text);\ninsert into t values (1, 'x'), (2, E'\\'');",
		"COPY t (a, b) FROM stdin;\n1\t\\N\n\\.\n", "DELIMITER ;;\nCREATE TRIGGER x BEGIN ; END ;;",
		"insert all into a (b) values (q'[x]') into c (d) values ($$y$$) select 1;",
		"/*! x */ insert into `a` (`b`) values ('\\'');", "declare\nbegin\nend;\n/\n",
		"\xef\xbb\xbfreplace into [a b] values (0x41, -1)",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, dump []byte) {
		r := NewReader(bytes.NewReader(dump))
		last := int64(-1)
		for {
			row, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if row.Offset <= last || row.Offset >= int64(len(dump)) || row.Number < 1 {
				t.Fatalf("row %+v behind %d", row, last)
			}
			last = row.Offset
		}
		if r.offset != int64(len(dump)) {
			t.Fatalf("read %d of %d bytes", r.offset, len(dump))
		}
	})
}
