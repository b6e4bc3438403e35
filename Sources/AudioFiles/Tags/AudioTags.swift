/// The title, the artist and other words about the sound of a file.
public struct AudioTags: Hashable, Sendable {
  /// Field that goes from one kind of file to another. The program that wrote a file is not one: each file has another.
  public enum Field: String, CaseIterable, Sendable {
    /// Name of the sound.
    case title
    /// Musician or speaker.
    case artist
    /// Album or series of the sound.
    case album
    /// Date of the sound, in the writer's own form.
    case date
    /// Genre of the sound.
    case genre
    /// Number of the sound in the album.
    case track
    /// Any other text.
    case comment
    /// Owner of the copyright.
    case copyright
    /// Permitted uses of the sound.
    case license
  }

  private var texts: [Field: String] = [:]

  /// Creates tags without a field.
  public init() {}

  /// Text of a field; nil if there is none.
  public subscript(field: Field) -> String? {
    get { texts[field] }
    set { texts[field] = newValue.flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// Whether no field has a text.
  public var isEmpty: Bool { texts.isEmpty }
  /// The fields with a text, in their order.
  public var fields: [(field: Field, text: String)] {
    Field.allCases.compactMap { field in texts[field].map { (field, $0) } }
  }
}
