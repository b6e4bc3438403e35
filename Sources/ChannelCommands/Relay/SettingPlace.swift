import CommandLineKit

/// Place of a setting, for messages: an option of the command line, or a key of a configuration file.
enum SettingPlace: Hashable {
  /// Long name of an option, without its dashes.
  case option(String)
  /// Path of a key, such as `apps[1].id`, and the file.
  case key(String, file: String)

  /// Returns the name of another setting, as it would stand beside this one: `--tls-key` or `'tls_key'`.
  func naming(_ option: String) -> String {
    switch self {
    case .option: "--\(option)"
    case .key: "'\(RelaySettings.key(option))'"
    }
  }

  /// Returns the failure for the value at this place: exit code 64 for an option, 78 for a file.
  ///
  /// - Parameter fault: the fault and its remedy, such as `'x' is not an address; write it in digits`.
  func failure(_ fault: String) -> CommandFailure {
    switch self {
    case .option(let name): .usage("--\(name) \(fault)")
    case .key(let path, let file): CommandFailure(.badConfiguration, "\(file): \(path) \(fault)")
    }
  }
}

/// A value with its place.
struct Setting<Value> {
  let value: Value
  let place: SettingPlace
}
