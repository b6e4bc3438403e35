package import Channels
package import JSON

extension ChannelEvent {
  /// Writes the fields of the event besides its name.
  package func writeFields(_ json: inout JSONWriter) {
    for field in details.fields {
      switch field.value {
      case .number(let value): json.field(field.name, value)
      case .flag(let value): json.field(field.name, value)
      case .numbers(let values):
        json.array(field.name) { json in for value in values { json.value(value) } }
      case .text(let value): json.field(field.name, value)
      }
    }
  }
}
