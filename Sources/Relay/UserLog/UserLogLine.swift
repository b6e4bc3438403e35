import Signalling

/// Line of a log about a user that has joined or left, or was refused.
struct UserLogLine: CustomStringConvertible {
  /// The event, such as `joined`.
  let event: String
  var app: AppID?
  var channel: ChannelName?
  var user: String?
  var role: ClientRole?
  let client: ClientDescription?
  var reason: String?

  var description: String {
    let fields: [String?] = [
      app.map { "app \($0)" }, channel.map { "channel '\($0)'" }, user, role.map { "role \($0.name)" },
      client.map { "address \($0.address)" }, client?.info.map { "info \(Self.quoted($0))" },
      client?.software.map { "software \(Self.quoted($0))" }, reason.map { "reason \(Self.escaped($0))" },
    ]
    return "\(event): " + fields.compactMap(\.self).joined(separator: ", ")
  }

  /// Returns a client's text in quotation marks; none in it ends them.
  private static func quoted(_ text: String) -> String { "\"\(escaped(text, marks: true))\"" }

  /// Returns a text without characters that command a terminal or break a line.
  private static func escaped(_ text: String, marks: Bool = false) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        escaped += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default:
        if marks, scalar == "\"" || scalar == "\\" { escaped += "\\" }
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
