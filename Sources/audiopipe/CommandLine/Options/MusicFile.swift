/// A file that is mixed into what each speaker sends, played once: `--mix FILE[:volume=0...100]`.
struct MusicFile: Hashable, Sendable {
  static let syntax = KeyedKind(
    head: .file, keys: [KeyedKind.Key(name: "volume", value: .integer(0...100))])

  let path: String
  /// 100 is the file as it is.
  let volume: Int

  init(_ value: KeyedValue) {
    path = value.head
    volume = value.integer("volume") ?? 100
  }
}
