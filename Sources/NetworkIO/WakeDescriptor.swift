import CPlatform
import Glibc

/// Ends the wait of a thread that polls descriptors.
///
/// One wake is remembered: a wake before the wait ends the wait at once. Thread: any but the audio thread.
package final class WakeDescriptor: Sendable {
  /// Descriptor for `poll`: readable behind a wake.
  package let descriptor: Int32

  /// Creates a descriptor; without one of the system, a wake has no effect, and waits last to their end.
  package init() { descriptor = cplatform_event_descriptor() }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Ends the present wait, or else the next one.
  package func wake() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  /// Takes the wakes so far.
  package func takeWakes() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }
}
