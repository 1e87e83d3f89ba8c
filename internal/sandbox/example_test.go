package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"quire/internal/sandbox"
)

func Example() {
	c := sandbox.Command{Args: []string{"convert", "gif:{input}", "png:{output}"},
		Limits: sandbox.Limits{Time: time.Minute}}
	if err := c.Check(); err != nil { // before any work: the program does not exist
		log.Fatal(err)
	}
	_, err := c.Run(context.Background(), "", strings.NewReader("GIF89a"), os.Stdout)
	var failed *sandbox.Failure
	if errors.As(err, &failed) {
		fmt.Println(failed) // the program failed: this concerns the bytestream
	}
}
