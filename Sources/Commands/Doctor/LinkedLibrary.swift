import CEBUR128
import CFFTW
import COpus
import CSampleRate
import CSndFile
import CSoxr
import Cryptography
import Devices

/// A library that this program is linked with, and the version that it reports.
struct LinkedLibrary: Hashable, Sendable {
  let name: String
  let version: String
  /// Purpose of the library in this program.
  let purpose: String

  static var all: [LinkedLibrary] {
    [
      LinkedLibrary("opus", opus_get_version_string(), purpose: "codec"),
      LinkedLibrary("libsamplerate", src_get_version(), purpose: "live sample rate conversion"),
      LinkedLibrary("soxr", soxr_version(), purpose: "offline sample rate conversion"),
      LinkedLibrary("openssl", CryptographyLibrary.versionText, purpose: "encryption"),
      LinkedLibrary("libsndfile", sf_version_string(), purpose: "audio files"),
      LinkedLibrary("fftw", cfftw_version(), purpose: "pitch detection"),
      LinkedLibrary("libebur128", loudnessVersion, purpose: "loudness"),
      LinkedLibrary("alsa", AudioDevices.libraryVersion, purpose: "sound devices"),
    ]
  }

  private static var loudnessVersion: String {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    ebur128_get_version(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }

  /// Creates a library from its text, such as `libopus 1.3.1`, `libsamplerate-0.2.2 (c) ...` or `libsoxr-0.1.3`: only
  /// the number counts.
  private init(_ name: String, _ text: UnsafePointer<CChar>?, purpose: String) {
    self.name = name
    self.purpose = purpose
    version = text.map { Self.number(in: String(cString: $0)) } ?? "unknown"
  }

  /// Returns the first run of digits, points and characters attached to it; the whole text if there is none.
  static func number(in text: String) -> String {
    guard let start = text.firstIndex(where: \.isNumber) else { return text }
    return String(text[start...].prefix { !$0.isWhitespace })
  }
}
