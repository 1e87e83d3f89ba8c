package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// stayOpen is a program that stays running like ExifTool. The content of the bytestream controls
// its behaviour.
func stayOpen() {
	lines := bufio.NewScanner(os.Stdin)
	var args []string
	for asked := 1; lines.Scan(); {
		n, execute := strings.CutPrefix(lines.Text(), "-execute")
		if !execute {
			args = append(args, lines.Text())
			continue
		}
		content, err := os.ReadFile(args[0])
		status := 0
		switch {
		case err != nil:
			panic(err)
		case string(content) == "hang":
			fmt.Print("begun\n")
			time.Sleep(2 * long)
		case string(content) == "die":
			os.Exit(3)
		case string(content) == "flood":
			for {
				fmt.Println(strings.Repeat("y", 1000))
			}
		case string(content) == "lie":
			fmt.Println("{ready" + strings.Repeat("1", 9) + "}")
		case string(content) == "bad":
			fmt.Fprintln(os.Stderr, "Error: no good")
			status = 1
		case string(content) == "no line":
			fmt.Print("no line")
		case string(content) == "litter":
			_ = os.WriteFile("litter", []byte("x"), 0o600)
			fallthrough
		default:
			left, _ := os.ReadDir(".")
			fmt.Println(asked, strings.Join(os.Args[6:], " "), strings.ToUpper(string(content)), len(left))
		}
		fmt.Fprintln(os.Stderr, strings.Replace(args[2], "${status}", strconv.Itoa(status), 1))
		fmt.Printf("{ready%s}\n", n)
		args = nil
		asked++
	}
	os.Exit(0)
}

func TestKept(t *testing.T) {
	temp := t.TempDir()
	c := Command{Args: []string{os.Args[0], "-json", "-G"}, Limits: Limits{Time: long, Output: 5000}}
	keep := func() *Persistent {
		k, err := c.Start(temp)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	k := keep()
	ask := func(content string) string {
		a, err := k.Ask(context.Background(), Question{In: strings.NewReader(content)})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s|%s|%s", bytes.TrimSpace(a.Printed), a.Said, a.Reason)
	}
	name := (&run{placed: placed{args: c.Args}}).name()
	for _, step := range [][2]string{
		{"quire", "1 -json -G QUIRE 1||"},
		{"litter", "2 -json -G LITTER 2||"},
		{"", "3 -json -G  1||"},
		{"bad", "|Error: no good|" + name + " ended with status 1"},
		{"lie", "{ready111111111}||"},
		{"no line", "no line||"},
		{"again", "7 -json -G AGAIN 1||"},
		{"die", "||" + name + ": it ended before it had answered"},
	} {
		if said := ask(step[0]); said != step[1] {
			t.Errorf("%s: %s; want %s", step[0], said, step[1])
		}
	}
	if _, err := k.Ask(context.Background(), Question{In: strings.NewReader("x")}); !HasEnded(err) || k.Reusable() {
		t.Error(err)
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
	k = keep()
	if said := ask("flood"); len(said) < 5000 ||
		!strings.HasSuffix(said, "||"+name+": it printed more than 5000 bytes") || k.Reusable() {
		t.Errorf("%d bytes: %s", len(said), said[max(0, len(said)-100):])
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
	said := ""
	untilItSpeaks(func(limit time.Duration) bool {
		c.Limits.Time = limit
		k = keep()
		said = ask("hang")
		if k.Reusable() {
			t.Error("it is fit for the next")
		}
		if err := k.Close(); err != nil {
			t.Error(err)
		}
		return strings.HasPrefix(said, "begun")
	})
	if said != "begun||"+name+": it was not done after "+c.Limits.Time.String() {
		t.Error(said)
	}
	c.Limits.Time = long
	k = keep()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := k.Ask(ctx, Question{In: strings.NewReader("hang")}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestKeepWhatIsNotThere(t *testing.T) {
	c := Command{Args: []string{"no-such-program-here"}}
	if _, err := c.Start(t.TempDir()); err == nil {
		t.Error("it was started")
	}
}
