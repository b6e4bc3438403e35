/// The title, the artist and other words about the sound of a file.
public struct AudioTags: Hashable, Sendable {
  /// The fields that go from one kind of file to another. The program that wrote a file is none: it is another one now.
  public enum Field: String, CaseIterable, Sendable {
    /// The name of the sound.
    case title
    /// The musician or the speaker.
    case artist
    /// The album or the series that it belongs to.
    case album
    /// When it was made, in the writer's own form.
    case date
    /// Of what kind it is.
    case genre
    /// Its number in the album.
    case track
    /// Anything else.
    case comment
    /// Whose it is.
    case copyright
    /// What may be done with it.
    case license
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
