//! Where the elements of an image lie, and those of a part of it.

use super::{MAX_2D, MAX_3D, MAX_BUFFER, MAX_LAYERS};
use crate::core::memory::transfer::Layout;
use crate::status::{Result, Status};
use opencl_sys as cl;

/// The sides and pitches of an image. Sides that its kind does not have are 0, as `clGetImageInfo` tells them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// `CL_MEM_OBJECT_IMAGE1D` and so on.
    pub kind: cl::cl_mem_object_type,
    /// Elements in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Slices of a 3D image.
    pub depth: usize,
    /// Layers of an array.
    pub layers: usize,
    /// Bytes from row to row.
    pub row_pitch: usize,
    /// Bytes from slice to slice or layer to layer; 0 where there is one only by its kind.
    pub slice_pitch: usize,
    /// Bytes of an element.
    pub element: usize,
}

/// Whether it is a kind of image.
pub const fn is_image(kind: cl::cl_mem_object_type) -> bool {
    matches!(
        kind,
        cl::CL_MEM_OBJECT_IMAGE1D
            | cl::CL_MEM_OBJECT_IMAGE1D_BUFFER
            | cl::CL_MEM_OBJECT_IMAGE1D_ARRAY
            | cl::CL_MEM_OBJECT_IMAGE2D
            | cl::CL_MEM_OBJECT_IMAGE2D_ARRAY
            | cl::CL_MEM_OBJECT_IMAGE3D
    )
}

impl Shape {
    /// The sides of a kind of image, without pitches; what else is given is not looked at ("image_height … is only used if
    /// the image is a 2D image, a 2D image array, or a 3D image" and so on).
    ///
    /// # Errors
    /// `CL_INVALID_IMAGE_DESCRIPTOR`: no kind of image, or a side is zero; `CL_INVALID_IMAGE_SIZE`: a side is too large.
    pub fn new(
        kind: cl::cl_mem_object_type,
        [width, height, depth]: [usize; 3],
        layers: usize,
        element: usize,
    ) -> Result<Self> {
        let none = Self { kind, width, height: 0, depth: 0, layers: 0, row_pitch: 0, slice_pitch: 0, element };
        let (shape, most) = match kind {
            cl::CL_MEM_OBJECT_IMAGE1D => (none, [MAX_2D, 0, 0]),
            cl::CL_MEM_OBJECT_IMAGE1D_BUFFER => (none, [MAX_BUFFER, 0, 0]),
            cl::CL_MEM_OBJECT_IMAGE1D_ARRAY => (Self { layers, ..none }, [MAX_2D, MAX_LAYERS, 0]),
            cl::CL_MEM_OBJECT_IMAGE2D => (Self { height, ..none }, [MAX_2D, MAX_2D, 0]),
            cl::CL_MEM_OBJECT_IMAGE2D_ARRAY => (Self { height, layers, ..none }, [MAX_2D, MAX_2D, MAX_LAYERS]),
            cl::CL_MEM_OBJECT_IMAGE3D => (Self { height, depth, ..none }, [MAX_3D; 3]),
            _ => return Err(Status::INVALID_IMAGE_DESCRIPTOR),
        };
        let sides = [shape.extents(), most];
        // Sides that the kind does not have are 1.
        if (0..3).any(|d| sides[0][d] == 0) {
            return Err(Status::INVALID_IMAGE_DESCRIPTOR);
        }
        if (0..3).any(|d| sides[0][d] > most[d].max(1)) {
            return Err(Status::INVALID_IMAGE_SIZE);
        }
        Ok(shape)
    }

    /// The same with pitches, where 0 stands for no gaps.
    ///
    /// # Errors
    /// `CL_INVALID_IMAGE_DESCRIPTOR`: they do not fit the sides.
    pub fn with_pitches(self, row: usize, slice: usize) -> Result<Self> {
        const WRONG: Status = Status::INVALID_IMAGE_DESCRIPTOR;
        let dense = self.width.checked_mul(self.element).ok_or(WRONG)?;
        // "… can be either 0 or ≥ image_width × size of element in bytes if host_ptr is not NULL. … If image_row_pitch is not
        // 0, it must be a multiple of the image element size in bytes."
        if row != 0 && (row < dense || !row.is_multiple_of(self.element)) {
            return Err(WRONG);
        }
        let row_pitch = if row == 0 { dense } else { row };
        if !self.has_slices() {
            return Ok(Self { row_pitch, slice_pitch: 0, ..self });
        }
        // "image_slice_pitch can be either 0 or ≥ image_row_pitch × image_height for a 2D image array or 3D image and can be
        // either 0 or ≥ image_row_pitch for a 1D image array. … If image_slice_pitch is not 0, it must be a multiple of the
        // image_row_pitch."
        let dense = row_pitch.checked_mul(self.height.max(1)).ok_or(WRONG)?;
        if slice != 0 && (slice < dense || !slice.is_multiple_of(row_pitch)) {
            return Err(WRONG);
        }
        Ok(Self { row_pitch, slice_pitch: if slice == 0 { dense } else { slice }, ..self })
    }

    /// Whether it has slices or layers.
    pub fn has_slices(&self) -> bool {
        matches!(
            self.kind,
            cl::CL_MEM_OBJECT_IMAGE1D_ARRAY | cl::CL_MEM_OBJECT_IMAGE2D_ARRAY | cl::CL_MEM_OBJECT_IMAGE3D
        )
    }

    /// How far each coordinate of an origin or a region goes. In 1D arrays the second counts layers.
    pub fn extents(&self) -> [usize; 3] {
        match self.kind {
            cl::CL_MEM_OBJECT_IMAGE1D_ARRAY => [self.width, self.layers, 1],
            cl::CL_MEM_OBJECT_IMAGE2D => [self.width, self.height, 1],
            cl::CL_MEM_OBJECT_IMAGE2D_ARRAY => [self.width, self.height, self.layers],
            cl::CL_MEM_OBJECT_IMAGE3D => [self.width, self.height, self.depth],
            _ => [self.width, 1, 1],
        }
    }

    /// Its size in bytes; none if it is too large for an address.
    pub fn bytes(&self) -> Option<usize> {
        let [_, rows, slices] = self.extents();
        match self.kind {
            cl::CL_MEM_OBJECT_IMAGE1D_ARRAY => self.slice_pitch.checked_mul(rows),
            cl::CL_MEM_OBJECT_IMAGE2D_ARRAY | cl::CL_MEM_OBJECT_IMAGE3D => self.slice_pitch.checked_mul(slices),
            _ => self.row_pitch.checked_mul(rows),
        }
    }

    /// Bytes from one coordinate to the next, for the second and third.
    fn steps(&self) -> (usize, usize) {
        if self.kind == cl::CL_MEM_OBJECT_IMAGE1D_ARRAY {
            return (self.slice_pitch, self.slice_pitch);
        }
        (self.row_pitch, self.slice_pitch)
    }

    /// A region in bytes, as [`Layout`]s count it.
    pub fn in_bytes(&self, region: [usize; 3]) -> [usize; 3] {
        [region[0] * self.element, region[1], region[2]]
    }

    /// Where a region of it lies.
    ///
    /// # Errors
    /// "CL_INVALID_VALUE if the region … is out of bounds; if values in origin and region do not follow rules described in the
    /// argument description": that they are 0 and 1 where the image has no such side.
    pub fn layout(&self, origin: [usize; 3], region: [usize; 3]) -> Result<Layout> {
        let extents = self.extents();
        let inside = |d: usize| region[d] != 0 && origin[d] <= extents[d] && region[d] <= extents[d] - origin[d];
        if !(0..3).all(inside) {
            return Err(Status::INVALID_VALUE);
        }
        let (row, slice) = self.steps();
        // Nothing overflows: it is inside of the image, whose size fits.
        let at = |x: usize, y: usize, z: usize| x * self.element + y * row + z * slice;
        let offset = at(origin[0], origin[1], origin[2]);
        Ok(Layout { offset, row, slice, end: offset + at(region[0], region[1] - 1, region[2] - 1) })
    }

    /// Where a region lies in the program's memory with these pitches, where 0 stands for no gaps.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`: the pitches do not fit the region or the kind, or are too large.
    pub fn host_layout(&self, region: [usize; 3], row_pitch: usize, slice_pitch: usize) -> Result<Layout> {
        const WRONG: Status = Status::INVALID_VALUE;
        // "CL_INVALID_VALUE if image is a 1D or 2D image and slice_pitch … is not 0."
        if !self.has_slices() && slice_pitch != 0 {
            return Err(WRONG);
        }
        let [width, height, _] = self.in_bytes(region);
        // "row_pitch … must be greater than or equal to the element size in bytes × width. If row_pitch is set to 0, the
        // appropriate row pitch is calculated based on the size of each element in bytes multiplied by width."
        if row_pitch != 0 && row_pitch < width {
            return Err(WRONG);
        }
        let row = if row_pitch == 0 { width } else { row_pitch };
        // "slice_pitch … must be greater than or equal to row_pitch × height": a layer of a 1D array is one row.
        let rows = if self.kind == cl::CL_MEM_OBJECT_IMAGE1D_ARRAY { 1 } else { height };
        let dense = row.checked_mul(rows).ok_or(WRONG)?;
        if slice_pitch != 0 && slice_pitch < dense {
            return Err(WRONG);
        }
        let slice = if slice_pitch == 0 { dense } else { slice_pitch };
        let row = if self.kind == cl::CL_MEM_OBJECT_IMAGE1D_ARRAY { slice } else { row };
        let last = (region[2] - 1).checked_mul(slice).zip((height - 1).checked_mul(row));
        let end = last.and_then(|(z, y)| z.checked_add(y)?.checked_add(width)).ok_or(WRONG)?;
        Ok(Layout { offset: 0, row, slice, end })
    }

    /// Where a region lies in a buffer from this offset on, without gaps.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`: it is too large for an address.
    pub fn packed(&self, region: [usize; 3], offset: usize) -> Result<Layout> {
        let [width, height, depth] = self.in_bytes(region);
        let slice = width * height;
        let end = slice.checked_mul(depth).and_then(|n| n.checked_add(offset)).ok_or(Status::INVALID_VALUE)?;
        Ok(Layout { offset, row: width, slice, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(kind: cl::cl_mem_object_type) -> Shape {
        Shape::new(kind, [5, 3, 2], 4, 4).expect("fits").with_pitches(0, 0).expect("fits")
    }

    #[test]
    fn elements_lie_where_their_kind_says() {
        let ends = [
            (cl::CL_MEM_OBJECT_IMAGE1D, [5, 1, 1], 20),
            (cl::CL_MEM_OBJECT_IMAGE1D_BUFFER, [5, 1, 1], 20),
            (cl::CL_MEM_OBJECT_IMAGE1D_ARRAY, [5, 4, 1], 80),
            (cl::CL_MEM_OBJECT_IMAGE2D, [5, 3, 1], 60),
            (cl::CL_MEM_OBJECT_IMAGE2D_ARRAY, [5, 3, 4], 240),
            (cl::CL_MEM_OBJECT_IMAGE3D, [5, 3, 2], 120),
        ];
        for (kind, extents, bytes) in ends {
            let s = shape(kind);
            assert_eq!((s.extents(), s.bytes()), (extents, Some(bytes)), "{kind:#x}");
            let all = s.layout([0; 3], extents).expect("all of it");
            assert_eq!((all.offset, all.end), (0, bytes));
            let last = s.layout(extents.map(|n| n - 1), [1; 3]).expect("the last");
            assert_eq!((last.offset, last.end), (bytes - 4, bytes));
            for d in 0..3 {
                let mut beyond = [0; 3];
                beyond[d] = extents[d];
                assert_eq!(s.layout(beyond, [1; 3]), Err(Status::INVALID_VALUE));
                beyond[d] = usize::MAX;
                assert_eq!(s.layout(beyond, [1; 3]), Err(Status::INVALID_VALUE));
                let mut none = [1; 3];
                none[d] = 0;
                assert_eq!(s.layout([0; 3], none), Err(Status::INVALID_VALUE));
            }
        }
    }

    #[test]
    fn pitches_of_the_host_keep_rows_apart() {
        let layers = shape(cl::CL_MEM_OBJECT_IMAGE1D_ARRAY);
        let at = layers.host_layout([5, 4, 1], 24, 48).expect("fits");
        assert_eq!((at.row, at.end), (48, 3 * 48 + 20));
        let solid = shape(cl::CL_MEM_OBJECT_IMAGE3D);
        let at = solid.host_layout([5, 3, 2], 24, 0).expect("fits");
        assert_eq!((at.row, at.slice, at.end), (24, 72, 72 + 48 + 20));
        assert_eq!(solid.host_layout([5, 3, 2], 19, 0), Err(Status::INVALID_VALUE));
        assert_eq!(solid.host_layout([5, 3, 2], 20, 59), Err(Status::INVALID_VALUE));
        assert_eq!(solid.host_layout([5, 3, 2], usize::MAX, 0), Err(Status::INVALID_VALUE));
        let flat = shape(cl::CL_MEM_OBJECT_IMAGE2D);
        assert_eq!(flat.host_layout([5, 3, 1], 0, 60), Err(Status::INVALID_VALUE));
    }

    #[test]
    fn sides_and_pitches_that_do_not_fit_are_refused() {
        let make = |kind, sides, layers| Shape::new(kind, sides, layers, 4).err();
        let wrong = Some(Status::INVALID_IMAGE_DESCRIPTOR);
        assert_eq!(make(cl::CL_MEM_OBJECT_BUFFER, [1; 3], 1), wrong);
        assert_eq!(make(cl::CL_MEM_OBJECT_IMAGE2D, [1, 0, 0], 0), wrong);
        assert_eq!(make(cl::CL_MEM_OBJECT_IMAGE2D_ARRAY, [1, 1, 0], 0), wrong);
        assert_eq!(make(cl::CL_MEM_OBJECT_IMAGE1D, [1, 0, 0], 0), None);
        assert_eq!(make(cl::CL_MEM_OBJECT_IMAGE2D, [MAX_2D + 1, 1, 0], 0), Some(Status::INVALID_IMAGE_SIZE));
        assert_eq!(make(cl::CL_MEM_OBJECT_IMAGE1D_ARRAY, [1, 1, 0], MAX_LAYERS + 1), Some(Status::INVALID_IMAGE_SIZE));
        let solid = shape(cl::CL_MEM_OBJECT_IMAGE3D);
        for (row, slice) in [(19, 0), (22, 0), (20, 59), (20, 70), (0, 40)] {
            assert_eq!(solid.with_pitches(row, slice).err(), wrong, "{row} {slice}");
        }
        assert_eq!(solid.with_pitches(24, 96).map(|s| s.bytes()), Ok(Some(192)));
    }
}
