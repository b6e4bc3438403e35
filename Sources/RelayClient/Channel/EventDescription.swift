/// Name and fields of an event, for lines of JSON and logs.
package struct EventDescription: Hashable, Sendable {
  /// Value of a field.
  package enum Value: Hashable, Sendable {
    /// An integer.
    case number(Int)
    /// A truth value.
    case flag(Bool)
    /// A list of integers.
    case numbers([Int])
    /// A text.
    case text(String)
  }

  /// Field of an event.
  package struct Field: Hashable, Sendable {
    /// Name of the field.
    package let name: String
    /// Value of the field.
    package let value: Value
  }

  /// Name of the event: that of the delegate's method, if there is one.
  package let name: String
  /// Fields in their order.
  package let fields: [Field]
  /// Whether the event follows from others.
  package let isDetail: Bool

  /// Creates a description; a field without a value is left out.
  init(_ name: String, _ fields: KeyValuePairs<String, Value?> = [:], isDetail: Bool = false) {
    self.name = name
    self.fields = fields.compactMap { name, value in value.map { Field(name: name, value: $0) } }
    self.isDetail = isDetail
  }
}
