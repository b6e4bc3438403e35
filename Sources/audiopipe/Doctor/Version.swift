import Engine
import JSON

/// The version of the program, which is the package's.
enum Version {
  static let number = AudioPipeline.sdkVersion

  /// One line, or with the linked libraries one JSON object.
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
