import Glibc

/// The files of the cards, `/dev/snd`, as far as an error names them.
enum DeviceFiles {
  /// Access of the user to the cards.
  enum Access: Hashable, Sendable {
    /// No card has a file here.
    case absent
    /// There are cards, and the user may open none.
    case forbidden
    /// The user may open a card.
    case allowed
  }

  /// Returns the user's access to the cards of `directory`.
  static func access(in directory: String = "/dev/snd") -> Access {
    guard let entries = opendir(directory) else { return errno == EACCES ? .forbidden : .absent }
    defer { closedir(entries) }
    var result = Access.absent
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasPrefix("controlC") else { continue }
      if Glibc.access("\(directory)/\(name)", R_OK | W_OK) == 0 { return .allowed }
      result = .forbidden
    }
    return result
  }
}
