//go:build interop

package solr

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

const tools = "../../build/interop"

// collections are those of the tests of access/search, with their router fields.
var collections = map[string]string{"quire": "quire_page", "webarchive": "url_norm"}

// start starts Solr, and returns its URL.
func start(t *testing.T, home string, properties ...string) string {
	t.Helper()
	jars, err := filepath.Abs(filepath.Join(tools, "solr"))
	if err != nil {
		t.Fatal(err)
	}
	classes := t.TempDir()
	if out, err := exec.Command("javac", "-cp", jars+"/*", "-d", classes, "Runner.java").CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	arguments := append([]string{"-Xmx768m", "-Dsolr.log.dir=" + home, "-cp", classes + ":" + jars + "/*"},
		properties...)
	c := exec.Command("java", append(arguments, "Runner", home, port(t))...)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = log
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(2*time.Minute, func() { _ = c.Process.Kill() }) // a Solr that failed to start does not end
	t.Cleanup(func() {
		in.Close() // the Runner ends with its input
		if err := c.Wait(); err != nil {
			t.Errorf("Solr: %v", err)
		}
		log.Close()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if at, ok := strings.CutPrefix(lines.Text(), "READY "); ok {
			late.Stop()
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return at
		}
	}
	text, _ := os.ReadFile(log.Name())
	t.Fatalf("Solr did not start: %s", text)
	return ""
}

// port returns a free port; ZooKeeper of a cloud takes the one that is a thousand higher.
func port(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port%30000 + 10000)
}

// home makes the home of a Solr.
func home(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func get(t *testing.T, address string) map[string]any {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var a map[string]any
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v: %v", address, r.Status, a, err)
	}
	return a
}

// suite runs the tests of the search, and the matrix of rights of the server, on a Solr.
func suite(t *testing.T, server, tests string, packages ...string) {
	t.Helper()
	c := exec.Command("go", append([]string{"test", "-count=1", "-p=1", "-v", "-run", tests}, packages...)...)
	c.Dir, c.Env = "../..", append(os.Environ(), "QUIRE_SOLR="+server)
	out, err := c.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "NDCG@10") {
			t.Log(strings.TrimSpace(line))
		}
	}
	if err != nil || strings.Contains(string(out), "SKIP: TestOpenRecords") ||
		strings.Contains(string(out), "[no tests to run]") {
		t.Errorf("%v\n%s", err, out)
	}
}

const (
	searches = "TestFinds|TestRanking|TestSameBytes|TestFacetsAndLevels|TestWhatCannotBeRead|TestRights|" +
		"TestForgedDigest|TestInfected|TestFollowsHoldings|TestCollections|TestOpenRecords|TestLinks$|TestLinkRights|" +
		"TestLanguages|TestDates|TestLevelsAgree"
	few = "TestSameBytes|TestFacetsAndLevels|TestRights|TestCollections|TestOpenRecords|TestLinks$|TestLinkRights"
)

// cores makes the home of a server with both collections.
func cores(t *testing.T) string {
	t.Helper()
	dir := home(t, map[string]string{"solr.xml": "<solr/>"})
	for name := range collections {
		core := filepath.Join(dir, name)
		if err := os.CopyFS(filepath.Join(core, "conf"), os.DirFS("../../deploy/solr")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(core, "core.properties"), []byte("name="+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestRanking: the order of SQLite is no worse than that of Solr on the judged questions of access/search. Its short
// form, beside FTS5, runs with the tests of that package.
func TestRanking(t *testing.T) {
	if os.Getenv("QUIRE_PROVE") == "" {
		t.Skip("QUIRE_PROVE=1 runs it")
	}
	suite(t, start(t, cores(t)), "TestJudged", "./access/search")
}

// TestOneServer: the whole suite on one server. If QUIRE_SOLRWAYBACK names the folder with SolrWayback's
// configset (src/bundle/solr_config/conf), the open records are fed into it, too.
func TestOneServer(t *testing.T) {
	dir := cores(t)
	theirs := os.Getenv("QUIRE_SOLRWAYBACK")
	if theirs != "" {
		core := filepath.Join(dir, "ukwa")
		if err := os.CopyFS(filepath.Join(core, "conf"), os.DirFS(theirs)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(core, "core.properties"), []byte("name=ukwa"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	server := start(t, dir)
	suite(t, server, searches, "./access/search")
	suite(t, server, "TestMatrix$", "./access/server")
	if theirs != "" {
		t.Setenv("QUIRE_SOLR_OPEN", "ukwa")
		suite(t, server, "TestOpenRecords", "./access/search")
	}
}

// TestShards: the counts of hits, groups and facets are the same in two shards, because all captures of a
// page are in one.
func TestShards(t *testing.T) {
	conf, err := filepath.Abs("../../deploy/solr")
	if err != nil {
		t.Fatal(err)
	}
	server := start(t, home(t, map[string]string{
		"solr.xml": `<solr><solrcloud><str name="host">127.0.0.1</str><int name="hostPort">${hostPort:0}</int>` +
			`<str name="hostContext">solr</str><int name="zkClientTimeout">30000</int></solrcloud></solr>`,
		"zoo.cfg": "tickTime=2000\ninitLimit=10\nsyncLimit=5\n",
	}), "-DzkRun=", "-Dbootstrap_confdir="+conf, "-Dcollection.configName=quire")
	for name, router := range collections {
		get(t, server+"/admin/collections?action=CREATE&numShards=2&replicationFactor=1"+
			"&collection.configName=quire&name="+name+"&router.field="+router)
	}
	tests := few
	if os.Getenv("QUIRE_PROVE") != "" {
		tests = searches
	}
	suite(t, server, tests, "./access/search")

	// Both shards have documents, so the counts above are those of two shards.

	for n := range 2 {
		a := get(t, fmt.Sprintf("%s/quire/select?rows=0&q=%s&shards=shard%d", server, url.QueryEscape("*:*"), n+1))
		if found := a["response"].(map[string]any)["numFound"].(float64); found == 0 {
			t.Errorf("shard %d has no document", n+1)
		}
	}

}
