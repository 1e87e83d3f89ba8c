package org.dspace.app.itemimport;

import java.io.File;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.dspace.content.Bitstream;
import org.dspace.content.Bundle;
import org.dspace.content.Item;
import org.dspace.content.service.BitstreamFormatService;
import org.dspace.content.service.BitstreamService;
import org.dspace.content.service.BundleService;
import org.dspace.content.service.ItemService;
import org.dspace.core.Context;
import org.dspace.eperson.Group;
import org.dspace.eperson.service.GroupService;
import org.dspace.authorize.service.AuthorizeService;
import org.dspace.authorize.service.ResourcePolicyService;
import org.dspace.authorize.ResourcePolicy;
import org.mockito.Mockito;

/** Reads the items of a Simple Archive with DSpace's own importer. Its services are mocks that print calls. */
public class ImportItems extends ItemImportServiceImpl {
    final Map<String, Bundle> bundles = new HashMap<>();
    final List<Bitstream> bitstreams = new ArrayList<>();
    final Map<Bitstream, String> names = new HashMap<>();

    static void say(String... parts) {
        System.out.println(String.join("\t", parts).replace("\n", " "));
    }

    ImportItems() throws Exception {
        itemService = Mockito.mock(ItemService.class, call -> {
            switch (call.getMethod().getName()) {
                case "addMetadata":
                    Object[] a = call.getArguments();
                    say("metadata", a[2] + "." + a[3] + (a[4] == null ? "" : "." + a[4]), String.valueOf(a[a.length - 1]));
                    return null;
                case "getBundles":
                    Bundle b = bundles.get((String) call.getArgument(1));
                    return b == null ? List.of() : List.of(b);
                case "getNonInternalBitstreams":
                    return bitstreams;
                default:
                    return null;
            }
        });
        bundleService = Mockito.mock(BundleService.class, call -> {
            if (!call.getMethod().getName().equals("create")) {
                return null;
            }
            String name = call.getArgument(2);
            Bundle bundle = Mockito.mock(Bundle.class, inner -> {
                if (inner.getMethod().getName().equals("setPrimaryBitstreamID")) {
                    say("primary", name, names.get((Bitstream) inner.getArgument(0)));
                }
                return null;
            });
            bundles.put(name, bundle);
            return bundle;
        });
        bitstreamService = Mockito.mock(BitstreamService.class, call -> {
            if (!call.getMethod().getName().equals("create")) {
                return null;
            }
            Bundle bundle = call.getArgument(1);
            String in = bundles.entrySet().stream().filter(e -> e.getValue() == bundle).findFirst().get().getKey();
            long size = ((InputStream) call.getArgument(2)).readAllBytes().length;
            Bitstream made = Mockito.mock(Bitstream.class, inner -> {
                switch (inner.getMethod().getName()) {
                    case "setName":
                        names.put((Bitstream) inner.getMock(), inner.getArgument(1));
                        say("bitstream", in, inner.getArgument(1), String.valueOf(size));
                        return null;
                    case "getName":
                        return names.get((Bitstream) inner.getMock());
                    case "setDescription":
                        say("description", names.get((Bitstream) inner.getMock()), inner.getArgument(1));
                        return null;
                    case "equals":
                        return inner.getMock() == inner.getArgument(0);
                    case "hashCode":
                        return System.identityHashCode(inner.getMock());
                    default:
                        return null;
                }
            });
            bitstreams.add(made);
            return made;
        });
        bitstreamFormatService = Mockito.mock(BitstreamFormatService.class);
        authorizeService = Mockito.mock(AuthorizeService.class);
        resourcePolicyService = Mockito.mock(ResourcePolicyService.class, call ->
            call.getMethod().getName().equals("create") ? Mockito.mock(ResourcePolicy.class) : null);
        groupService = Mockito.mock(GroupService.class, call -> {
            if (!call.getMethod().getName().equals("findByName")) {
                return null;
            }
            say("group", call.<String>getArgument(1));
            return call.getArgument(1).equals("Administrator") ? Mockito.mock(Group.class) : null;
        });
        isQuiet = true;
    }

    void read(String path) throws Exception {
        Context c = Mockito.mock(Context.class);
        Item item = Mockito.mock(Item.class);
        String folder = path + File.separatorChar;
        loadMetadata(c, item, folder);
        List<String> options = processContentsFile(c, item, folder, "contents");
        String handle = processHandleFile(c, item, folder, "handle");
        if (handle != null) {
            say("handle", handle);
        }
        processOptions(c, item, options);
    }

    public static void items(String path) throws Exception {
        File[] folders = new File(path).listFiles(File::isDirectory);
        Arrays.sort(folders);
        for (File folder : folders) {
            say("item", folder.getName());
            new ImportItems().read(folder.getCanonicalPath());
        }
    }
}
