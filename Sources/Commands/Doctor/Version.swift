import Engine
import JSON

/// Version of the program, which is the package's.
enum Version {
  static let number = AudioPipeline.sdkVersion

  /// Returns one line, or one JSON object with the linked libraries.
  static func text(asJSON: Bool) -> String {
    guard asJSON else { return "audiopipe \(number)" }
    var json = JSONWriter()
    json.object { json in
      json.field("schema", 1)
      json.field("name", "audiopipe")
      json.field("version", number)
      json.object("libraries") { json in
        for library in LinkedLibrary.all { json.field(library.name, library.version) }
      }
    }
    return json.text
  }
}
