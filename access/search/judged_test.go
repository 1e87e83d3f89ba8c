package search

import (
	"bytes"
	"database/sql"
	_ "embed"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quire/format/warc"
	"quire/internal/testsamples"
)

// judged has 60 questions to a sample, the documentation of Python 3.11 as captured by Wget. Beside each are the
// relevant pages, with grades: 3 answers the question, 2 helps, 1 touches it. They were written from the subjects
// of the pages, not from answers of a search.
//
//go:embed testdata/judged.tsv
var judged string

const judgedSite = "http://docs.python.test/"

// judgedQuestion is a question with its judgements.
type judgedQuestion struct {
	text   string
	grades map[string]float64
}

func judgedQuestions(t *testing.T) (all []judgedQuestion) {
	t.Helper()
	for line := range strings.Lines(judged) {
		text, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		q := judgedQuestion{text, map[string]float64{}}
		for _, one := range strings.Fields(rest) {
			path, grade, _ := strings.Cut(one, ":")
			n, err := strconv.ParseFloat(grade, 64)
			if err != nil {
				t.Fatal(err)
			}
			q.grades[judgedSite+path] = n
		}
		all = append(all, q)
	}
	return all
}

// judgedHouse has the pages of the sample.
func judgedHouse(t *testing.T) *house {
	t.Helper()
	f, err := os.Open(testsamples.Path(t, "samples", "_made", "crawls", "wget-large", "python311-docs.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h := newHouse()
	for rec, err := range warc.NewReader(f).Records() {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type() != "response" || !strings.HasSuffix(rec.TargetURI(), ".html") {
			continue
		}
		body, err := rec.DecodedPayload()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := io.Copy(&b, body); err != nil {
			t.Fatal(err)
		}
		h.add(item{pkg: "p", at: "20261120212122", url: rec.TargetURI(), mime: "text/html", body: b.String()})
	}
	return h
}

// ndcg is the normalized discounted cumulative gain of the first ten hits (Järvelin and Kekäläinen 2002).
func ndcg(urls []string, grades map[string]float64) float64 {
	gain := func(grade float64, at int) float64 { return (math.Exp2(grade) - 1) / math.Log2(float64(at+2)) }
	var all []float64
	for _, g := range grades {
		all = append(all, g)
	}
	slices.Sort(all)
	slices.Reverse(all)
	var got, ideal float64
	for i := range 10 {
		if i < len(urls) {
			got += gain(grades[urls[i]], i)
		}
		if i < len(all) {
			ideal += gain(all[i], i)
		}
	}
	return got / ideal
}

// TestJudged reports NDCG@10 of the 60 questions, beside FTS5's own BM25 with the same weights of columns; on
// Solr beside SQLite. Ours must not be worse. With -v it lists each question.
func TestJudged(t *testing.T) {
	t.Parallel()
	h, questions := judgedHouse(t), judgedQuestions(t)
	if len(questions) != 60 || len(h.packages["p"]) < 500 {
		t.Fatalf("%d questions, %d pages", len(questions), len(h.packages["p"]))
	}
	s := open(t, h)
	other, otherName := Engine(nil), "FTS5"
	if engine().Engine == SolrName {
		other, otherName = openEngine(t, h), "Solr"
	}
	ours, theirs := 0.0, 0.0
	for _, q := range questions {
		mine := ndcg(hitURLs(ask(t, s, public, Query{Text: q.text})), q.grades)
		var beside float64
		if other == nil {
			beside = ndcg(byFTS5(t, s, q.text), q.grades)
		} else {
			beside = ndcg(hitURLs(ask(t, other, public, Query{Text: q.text})), q.grades)
		}
		t.Logf("%.3f %.3f %s", mine, beside, q.text)
		ours, theirs = ours+mine/60, theirs+beside/60
	}
	t.Logf("NDCG@10 of 60 questions over %d pages: %.3f; %s %.3f", len(h.packages["p"]), ours, otherName, theirs)
	if ours < theirs {
		t.Errorf("NDCG@10 is %.3f, and %.3f by %s", ours, theirs, otherName)
	}
}

func hitURLs(r *Result) (all []string) {
	for _, h := range r.Hits {
		all = append(all, h.URL)
	}
	return all
}

// byFTS5 returns the first ten URLs by FTS5's bm25, of documents with all words.
func byFTS5(t *testing.T, s *Search, text string) (all []string) {
	t.Helper()
	q := parse(text)
	err := each(t.Context(), s.db, `SELECT (SELECT url.url FROM capture JOIN url ON url.id = capture.url
		WHERE document = words.rowid LIMIT 1) FROM words
		WHERE words MATCH ? ORDER BY bm25(words, 8, 3, 1, 0, 0) LIMIT 10`,
		func(rows *sql.Rows) error {
			var u string
			err := rows.Scan(&u)
			all = append(all, u)
			return err
		}, q.expression())
	if err != nil {
		t.Fatal(err)
	}
	return all
}
