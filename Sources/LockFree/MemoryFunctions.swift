// The C library's memory functions, declared so that the real-time check accepts them.
// REALTIME: they neither lock nor allocate, and take time in proportion to `count`.

@_silgen_name("memcpy") @_noLocks @usableFromInline @discardableResult
func trustedCopy(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int) -> UnsafeMutableRawPointer

@_silgen_name("memmove") @_noLocks @usableFromInline @discardableResult
func trustedMove(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int) -> UnsafeMutableRawPointer

/// Copies `count` samples; the regions must not overlap unless they are the same.
///
/// Real-time: wait-free.
@_noLocks @inlinable
public func copySamples(from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
  if UnsafePointer(target) == source { return }
  trustedCopy(target, source, count &* MemoryLayout<Float>.stride)
}

/// Copies `count` samples between regions that may overlap.
///
/// Real-time: wait-free.
@_noLocks @inlinable
public func moveSamples(from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
  trustedMove(target, source, count &* MemoryLayout<Float>.stride)
}
