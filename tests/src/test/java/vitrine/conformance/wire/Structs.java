package vitrine.conformance.wire;

import java.io.IOException;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import vitrine.wire.Buffers;
import vitrine.wire.Name;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;

/// The wire structs, found by looking into their package: one that is added is tested without
/// anybody having to remember it.
final class Structs {

    private Structs() {}

    /// All records of the same package as `example` that have a `LAYOUT`, by their names.
    static List<Class<? extends WireStruct>> beside(Class<?> example) {
        List<Class<? extends WireStruct>> found = new ArrayList<>();
        for (Class<?> candidate : classesBeside(example)) {
            if (candidate.isRecord() && WireStruct.class.isAssignableFrom(candidate)) {
                found.add(candidate.asSubclass(WireStruct.class));
            }
        }
        found.sort(Comparator.comparing(Class::getSimpleName));
        return found;
    }

    /// All top-level classes of the same package as `example`.
    static List<Class<?>> classesBeside(Class<?> example) {
        try {
            Path root = Path.of(
                    example.getProtectionDomain().getCodeSource().getLocation().toURI());
            String folder = example.getPackageName().replace('.', '/');
            if (Files.isDirectory(root)) {
                return classesIn(root.resolve(folder), example);
            }
            try (FileSystem jar = FileSystems.newFileSystem(root)) {
                return classesIn(jar.getPath(folder), example);
            }
        } catch (IOException | URISyntaxException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Class<?>> classesIn(Path folder, Class<?> example) throws IOException, ClassNotFoundException {
        List<Class<?>> classes = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".class") && !name.contains("-") && !name.contains("$")) {
                    classes.add(Class.forName(example.getPackageName() + "." + name.substring(0, name.length() - 6)));
                }
            }
        }
        return classes;
    }

    static StructLayout layout(Class<?> struct) {
        try {
            return (StructLayout) struct.getField("LAYOUT").get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(struct + " has no LAYOUT", e);
        }
    }

    /// The record's component that holds the C field: `lock_owner` is `lockOwner`.
    static String componentName(String cField) {
        StringBuilder name = new StringBuilder();
        for (String word : cField.split("_")) {
            name.append(
                    name.isEmpty() || word.isEmpty()
                            ? word
                            : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return name.toString();
    }

    /// A value with random components; numbers that lie in two bytes have two bytes.
    static <T> T any(Class<T> struct, Random random) {
        return with(struct, random, "", 0);
    }

    /// The same, but the component `fixed` is `value`.
    static <T> T with(Class<T> struct, Random random, String fixed, int value) {
        List<Object> values = new ArrayList<>();
        for (RecordComponent component : struct.getRecordComponents()) {
            values.add(component.getName().equals(fixed) ? (Object) value : anyComponent(struct, component, random));
        }
        return construct(struct, values);
    }

    private static Object anyComponent(Class<?> struct, RecordComponent component, Random random) {
        Class<?> type = component.getType();
        if (type == long.class) {
            return random.nextLong();
        } else if (type == int.class) {
            return isShort(struct, component) ? random.nextInt(0x10000) : random.nextInt();
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == Name.class) {
            return anyName(random);
        }
        return any(type, random);
    }

    private static boolean isShort(Class<?> struct, RecordComponent component) {
        return layout(struct).memberLayouts().stream()
                .anyMatch(member -> member.byteSize() == 2
                        && componentName(member.name().orElseThrow()).equals(component.getName()));
    }

    static Name anyName(Random random) {
        byte[] bytes = new byte[random.nextInt(1, 40)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt(1, 256);
        }
        return Name.of(bytes);
    }

    static <T> T construct(Class<T> type, List<Object> values) {
        try {
            Class<?>[] types = Stream.of(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            Constructor<T> canonical = type.getDeclaredConstructor(types);
            return canonical.newInstance(values.toArray());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("cannot construct " + type, e);
        }
    }

    static Object component(Object value, RecordComponent component) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /// What `decode` makes of these bytes, for structs that need nothing else to be decoded.
    static Object decode(Class<?> struct, byte[] bytes) {
        try {
            Method decode = struct.getMethod("decode", WireReader.class);
            return decode.invoke(null, new WireReader(Buffers.ofBytes(bytes)));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(struct + " does not decode", e);
        }
    }
}
