package wget

import (
	"slices"
	"strings"
	"testing"
)

// TestArguments parses arguments as Wget 1.21.3 wrote them: inner quotation marks are not escaped.
func TestArguments(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{``, nil},
		{`"-nv" "-e" "robots=on" `, []string{"-nv", "-e", "robots=on"}},
		{`"--header=Cookie: a="b\c"" "--password=p"w" "-O" "" `,
			[]string{`--header=Cookie: a="b\c"`, `--password=p"w`, "-O", ""}},
		{`"http://a.test/`, []string{"http://a.test/"}},
	} {
		if got := splitArguments(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, not %q", c.in, got, c.want)
		}
	}
}

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		in, want string // name=value of each option, then the URLs
	}{
		{"-pH http://a.test/", "pagerequisites=on spanhosts=on | http://a.test/"},
		{"-l 8 -l2 -nvH -np x", "level=8 level=2 noverbose=on nohostdirectories=on noparent=on | x"},
		{"-e robots=off -e use_agent=x --execute user_agent=y", "robots=off useagent=x useragent=y |"},
		{"--user-agent=B/1 --user-agent C --no-warc-keep-log --no-parent",
			"useragent=B/1 useragent=C warckeeplog=off parent=off |"},
		// --wa is ambiguous
		{"--recurs --tri 3 --warc-m=1G --wa 1", "recursive=on tries=3 warcmaxsize=1G wa=on | 1"},
		{"-q -- -x http://a.test/", "quiet=on | -x http://a.test/"},
		{"-D", "domains= |"},
	} {
		cmd := readCommand(strings.Fields(c.in))
		var got []string
		for _, o := range cmd.Options {
			got = append(got, o.Name+"="+o.Value)
		}
		got = append(append(got, "|"), cmd.URLs...)
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: %q, not %q", c.in, s, c.want)
		}
	}
	cmd := readCommand([]string{"-e", "robots=off", "-nv", "-nc"})
	if cmd.on("robots") || !cmd.on("noverbose") || cmd.on("quiet") || cmd.last("robots") != "off" {
		t.Errorf("%+v", cmd)
	}
}

// TestSecretsInArguments checks that every kind of secret is found, and none is repeated.
func TestSecretsInArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		what string
	}{
		{[]string{"--password=geheim"}, "a password"},
		{[]string{"--http-passwd", "geheim"}, "a password"},
		{[]string{"--ftp-password=geheim", "--proxy-password", "geheim"}, "a password"},
		{[]string{"-e", "http_password=geheim"}, "a password"},
		{[]string{"--header", "Cookie: sid=geheim"}, "the header Cookie"},
		{[]string{"--header=authorization:Basic geheim"}, "the header authorization"},
		{[]string{"--header=X-Auth-Token: geheim"}, "the header X-Auth-Token"},
		{[]string{"--post-data=user=a&password=geheim"}, "a form with a password or a token"},
		{[]string{"-B", "http://anna:geheim@a.test/"}, "a password in a URL"},
		{[]string{"http://anna:geheim@a.test/"}, "a password in a URL"},
		{[]string{"--load-cookies", "geheim.txt"}, "cookies, which --load-cookies took into the requests"},
		{[]string{"--header=Accept: text/html", "--post-data=q=1", "--user=anna", "--save-cookies=c.txt"}, ""},
	} {
		cmd := readCommand(c.args)
		if got := strings.Join(cmd.secrets(), ","); got != c.what {
			t.Errorf("%q reveals %q, not %q", c.args, got, c.what)
		}
		for _, o := range cmd.Options {
			if o.Name != "loadcookies" && strings.Contains(o.redacted(), "geheim") {
				t.Errorf("%q is printed as %q", c.args, o.redacted())
			}
		}
	}
}

func FuzzArguments(f *testing.F) {
	f.Add(`"-nv" "-l" "8" "--header=Cookie: a="b" " "-n"`)
	f.Add(`"--" "" "-" "--=" "-e" "=" "-Xa" "--no-" `)
	f.Fuzz(func(t *testing.T, list string) {
		c := readCommand(splitArguments(list))
		for _, o := range c.Options {
			_ = o.redacted()
			if o.reveals() == "a password" && len(o.Value) > 6 && o.Name == "password" &&
				strings.Count(o.Words, o.Value) == 1 && strings.Contains(o.redacted(), o.Value) {
				t.Errorf("%q is printed as %q", o.Words, o.redacted())
			}
		}
		_ = c.secrets()
	})
}
