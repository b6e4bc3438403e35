import JSON

/// Fields of one type of message, apart from `type`.
protocol MessageContent {
  /// Value of the field `type`.
  static var type: String { get }

  init(_ fields: MessageFields) throws(MessageError)

  /// Writes the fields into the message's object.
  func write(to json: inout JSONWriter)
}

extension MessageContent {
  /// Text of the message.
  var text: String {
    var json = JSONWriter()
    json.object {
      $0.field("type", Self.type)
      write(to: &$0)
    }
    return json.text
  }
}
