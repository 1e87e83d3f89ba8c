package plugin_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"quire/oai/plugin"
	"quire/oai/plugin/builtin"
)

func Example() {
	ctx := context.Background()
	tools, err := plugin.New(plugin.Options{Builtin: builtin.New, CacheDir: "state"}) // for Configs see ReadConfigs
	if err != nil {
		log.Fatal(err)
	}
	content, err := plugin.Hold(ctx, strings.NewReader("body"),
		plugin.HoldOptions{URL: "http://a.example/logo.png", MIMEType: "image/png"})
	if err != nil {
		log.Fatal(err)
	}
	defer content.Close()
	// of each matching tool, in the order of the configuration
	results, err := tools.Run(ctx, &content.Content)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(results))
}
