/// What a file says about its sound in words.
public struct AudioTags: Hashable, Sendable {
  /// The fields that go from one kind of file to another. The program that wrote a file is none: it is another one now.
  public enum Field: String, CaseIterable, Sendable {
    case title, artist, album, date, genre, track, comment, copyright, license
  }

  private var texts: [Field: String] = [:]

  /// Tags without a field.
  public init() {}

  /// The text of a field; nil where there is none.
  public subscript(field: Field) -> String? {
    get { texts[field] }
    set { texts[field] = newValue.flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// Whether there is none.
  public var isEmpty: Bool { texts.isEmpty }
  /// The fields that there are, in their order.
  public var fields: [(field: Field, text: String)] {
    Field.allCases.compactMap { field in texts[field].map { (field, $0) } }
  }
}
